//! Every code and every rule has a page.

use std::path::PathBuf;

use assent_manifest::{Code, Rule};

fn page(folder: &str, name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(folder)
        .join(format!("{name}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_complete(page: &str, name: &str, sections: &[&str]) {
    assert!(page.starts_with(&format!("# {name}\n")), "{name} has another title");
    for section in sections {
        assert!(page.contains(&format!("\n## {section}\n")), "{name} lacks `{section}`");
    }
    let too_long = page.lines().find(|line| line.chars().count() > 100);
    assert_eq!(too_long, None, "{name}: lines must fit a terminal");
}

#[test]
fn every_code_has_a_page_that_says_why_and_what_to_do() {
    for code in Code::ALL {
        let page = page("errors", code.as_str());
        assert_complete(&page, code.as_str(), &["Cause", "What to do", "Retry?"]);
    }
}

#[test]
fn every_rule_has_a_page_that_agrees_with_the_code() {
    use assent_manifest::RuleSet::{Canonical, Strict};
    for rule in Rule::ALL {
        let page = page("rules", rule.as_str());
        assert_complete(&page, rule.as_str(), &["Why", "Example", "What to do"]);
        for (name, rules) in [("canonical", Canonical), ("strict", Strict)] {
            let verdict = if rule.is_breaking(rules) { "yes" } else { "no" };
            assert!(page.contains(&format!("| {name} | {verdict} |")), "{rule}: {name}");
        }
    }
}
