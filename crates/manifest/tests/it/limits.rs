//! Limits hold exactly: L is accepted, L + 1 is not.

use assent_manifest::{CheckOptions, Code, check};
use serde_json::json;

use crate::{edited, manifest};

fn codes(text: &str) -> Vec<Code> {
    let report = check(text.as_bytes(), CheckOptions::default());
    report.errors.iter().chain(&report.warnings).map(|finding| finding.code).collect()
}

/// A manifest whose canonical form has exactly so many bytes.
fn of_size(bytes: usize) -> String {
    let mut manifest = manifest();
    manifest["tools"][0]["description_fallback"] = json!("");
    let without = assent_json::canonicalize(manifest.to_string().as_bytes()).unwrap().len();
    manifest["tools"][0]["description_fallback"] = json!("x".repeat(bytes - without));
    // Spaces outside strings do not count.
    format!("   {}   ", serde_json::to_string_pretty(&manifest).unwrap())
}

#[test]
fn size_is_measured_on_the_canonical_form() {
    assert_eq!(codes(&of_size(65_535)), []);
    assert_eq!(codes(&of_size(65_536)), [Code::ManifestLarge]);
    assert_eq!(codes(&of_size(131_072)), [Code::ManifestLarge]);
    assert_eq!(codes(&of_size(131_073)), [Code::ManifestTooLarge]);
}

#[test]
fn tool_names_have_2_to_32_characters() {
    for (length, accepted) in [(1, false), (2, true), (32, true), (33, false)] {
        let text = edited("/tools/0/name", Some(json!("a".repeat(length)))).to_string();
        assert_eq!(codes(&text).is_empty(), accepted, "{length}");
    }
}

#[test]
fn timeouts_lie_between_a_millisecond_and_ten_minutes() {
    for (timeout, accepted) in
        [(0, false), (1, true), (600_000, true), (600_001, false), (-1, false)]
    {
        let text = edited("/tools/0/timeout_ms", Some(json!(timeout))).to_string();
        assert_eq!(codes(&text).is_empty(), accepted, "{timeout}");
    }
    let text = edited("/tools/0/timeout_ms", Some(json!(5000.0))).to_string();
    assert_eq!(codes(&text), [], "5000.0 is the number 5000");
}
