//! Every code has a page, and every page says what to do.

use std::{collections::BTreeMap, path::PathBuf};

use assent_protocol::{
    a2h::{ApiCode, DeniedReason, ToolErrorCode, ToolErrorReason},
    agent_tool::{ErrorClass, ToolError},
    wire::Word,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

fn words<W: Word>() -> impl Iterator<Item = &'static str> {
    W::WORDS.iter().map(|word| word.word())
}

fn codes() -> impl Iterator<Item = &'static str> {
    words::<ApiCode>()
        .chain(words::<ToolErrorCode>())
        .chain(words::<ToolErrorReason>())
        .chain(words::<DeniedReason>())
        .chain(words::<ErrorClass>())
        .chain([ToolError::TOOL_NOT_SURFACED])
}

/// The page of a code. Two pages whose names differ only in case could not stand beside each other
/// on every file system: there the louder code's page speaks for both.
fn page(code: &str) -> String {
    let loud = code.to_ascii_uppercase();
    if codes().any(|other| other == loud) { loud } else { code.to_owned() }
}

#[test]
fn every_code_has_a_page_with_cause_remedy_and_retry() {
    // These two belong to the manifest checks as well and are documented there, in their own words.
    let shared = [ApiCode::ManifestTooLarge.as_str(), ApiCode::UnknownScope.as_str()];
    for code in codes().filter(|code| !shared.contains(code)) {
        let path = folder().join(format!("{}.md", page(code)));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no page for {code}"));
        let title = text.lines().next().unwrap();
        assert_eq!(title, format!("# {}", page(code)), "{}", path.display());
        assert!(text.contains(code), "{code} is not on its page");
        let sections = ["## Cause", "## What to do", "## Retry?"];
        let at: Vec<_> =
            sections.iter().map(|section| text.find(&format!("\n{section}\n"))).collect();
        assert!(at.iter().all(Option::is_some) && at.is_sorted(), "sections of {code}");
        let meaning = text.lines().nth(2).unwrap_or_default();
        assert!(meaning.len() > 10 && !meaning.starts_with('#'), "meaning of {code}");
    }
}

#[test]
fn no_two_pages_differ_only_in_case() {
    let mut seen = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let other = seen.insert(name.to_lowercase(), name.clone());
        assert_eq!(other, None, "{name}");
    }
}
