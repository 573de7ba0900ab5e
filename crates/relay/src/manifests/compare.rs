//! What is different in a later manifest, and who has to be asked again.

use assent_ids::ScopeId;
use assent_manifest::{Change, Diff, RuleSet, diff};
use assent_relay_api::model::ManifestChange;

/// How a manifest differs from the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) breaking: bool,
    pub(crate) changes: Vec<ManifestChange>,
    /// What people have to agree to again.
    pub(crate) scopes: Vec<ScopeId>,
}

impl Comparison {
    /// Those of the changes for which people have to be asked again.
    pub(crate) fn breaking_changes(&self) -> Vec<ManifestChange> {
        self.changes.iter().filter(|change| change.breaking).cloned().collect()
    }
}

/// Compares two manifests in canonical form.
///
/// A manifest was valid when it was published. If it is not any more, because the rules have become
/// stricter since, the change is undecided, and people are asked about everything.
pub(crate) fn compare(old: &str, new: &str, rules: RuleSet) -> Comparison {
    match diff(old.as_bytes(), new.as_bytes(), rules) {
        Ok(diff) => comparison(diff),
        Err(_) => Comparison { breaking: true, changes: Vec::new(), scopes: declared(new) },
    }
}

/// Every scope that a manifest declares.
fn declared(manifest: &str) -> Vec<ScopeId> {
    let Ok(document) = assent_json::read(manifest.as_bytes()) else { return Vec::new() };
    super::check::scopes(&document).unwrap_or_default()
}

fn comparison(diff: Diff) -> Comparison {
    Comparison {
        breaking: diff.breaking,
        changes: diff.changes.into_iter().map(change).collect(),
        scopes: diff.scopes_requiring_reauth.iter().filter_map(|id| id.parse().ok()).collect(),
    }
}

fn change(change: Change) -> ManifestChange {
    ManifestChange {
        kind: word(&change.kind),
        path: change.path,
        rule: change.rule.as_str().to_owned(),
        breaking: change.breaking,
        old: change.old,
        new: change.new,
        witness: change.witness,
        summary: change.summary,
    }
}

/// The word that stands for `value` in JSON.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use assent_manifest::RuleSet;

    use super::compare;

    #[test]
    fn a_manifest_that_cannot_be_compared_counts_as_breaking_in_everything() {
        let new = r#"{"permission_scopes":[{"id":"files:read"},{"id":"files:write"}]}"#;
        let comparison = compare("{}", new, RuleSet::Canonical);
        assert!(comparison.breaking);
        assert_eq!(comparison.scopes.len(), 2);
    }
}
