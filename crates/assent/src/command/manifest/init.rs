//! `assent manifest init`

use crate::{exit::Exit, output};

/// A manifest with one tool under a scope that every client knows.
const TEMPLATE: &str = include_str!("init/manifest.json");

pub(super) fn run() -> Exit {
    output::raw(TEMPLATE.as_bytes())
}

#[cfg(test)]
mod tests {
    use assent_manifest::{CheckOptions, RuleSet, check};

    use super::TEMPLATE;

    #[test]
    fn the_template_is_valid_by_the_strict_rules_without_a_warning() {
        let options = CheckOptions { rules: RuleSet::Strict, ..CheckOptions::default() };
        let report = check(TEMPLATE.as_bytes(), options);
        assert_eq!((report.errors, report.warnings), (vec![], vec![]));
    }
}
