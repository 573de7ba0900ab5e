//! Comments and documents are written in plain English.

use std::{collections::BTreeMap, path::Path};

use crate::{root, tidy::rust_files};

/// Words that hide who does what. A sentence about what holds for the caller does not need them.
const WORDS: [&str; 8] =
    ["whoever", "somebody", "nobody", "anybody", "everybody", "told", "anew", "door"];

/// How often the words may occur in the comments of each crate, and in documents. A number may only fall;
/// `ASSENT_UPDATE=1` lowers it.
const TABLE: &str = "testing/architecture/vague_words.txt";

/// The number of words of [`WORDS`] in a text.
fn count(text: &str) -> usize {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| WORDS.contains(&word.to_lowercase().as_str())).count()
}

/// The comments of a Rust file.
fn comments(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| line.starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// A document without its code, which shows what programs print and what values are called.
fn prose(text: &str) -> String {
    let blocks = text.split("```").step_by(2);
    blocks.flat_map(|text| text.split('`').step_by(2)).collect()
}

fn markdown_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The number of words in the comments of every crate, and in documents.
fn counts() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for group in ["crates", "testing"] {
        for entry in std::fs::read_dir(root().join(group)).unwrap() {
            let folder = entry.unwrap().path();
            let name = format!("{group}/{}", folder.file_name().unwrap().to_str().unwrap());
            let mut files = Vec::new();
            rust_files(&folder, &mut files);
            counts.insert(name, files.iter().map(|path| count(&comments(&read(path)))).sum());
        }
    }
    let mut documents = Vec::new();
    markdown_files(&root().join("docs"), &mut documents);
    counts.insert("docs".to_owned(), documents.iter().map(|path| count(&prose(&read(path)))).sum());
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        counts.insert(name.to_owned(), count(&prose(&read(&root().join(name)))));
    }
    counts.retain(|_, count| *count > 0);
    counts
}

fn table() -> BTreeMap<String, usize> {
    let entry = |line: &str| {
        let (name, count) = line.split_once(' ').unwrap();
        (name.to_owned(), count.parse().unwrap())
    };
    read(&root().join(TABLE)).lines().map(entry).collect()
}

#[test]
fn no_crate_uses_more_vague_words_than_before() {
    let (counts, allowed) = (counts(), table());
    for (name, found) in &counts {
        let allowed = allowed.get(name).copied().unwrap_or_default();
        assert!(
            *found <= allowed,
            "{name} uses {WORDS:?} {found} times in its comments, and {allowed} times are allowed: \
             rewrite the new sentences"
        );
    }
    if std::env::var_os("ASSENT_UPDATE").is_some() {
        let lines = counts.iter().map(|(name, count)| format!("{name} {count}\n"));
        std::fs::write(root().join(TABLE), lines.collect::<String>()).unwrap();
        return;
    }
    assert_eq!(counts, allowed, "the numbers fell: run the test with ASSENT_UPDATE=1");
}

#[test]
fn words_are_counted_in_comments_and_prose_only() {
    let text =
        "/// Nobody is told, whoever asks.\nlet told = \"somebody\"; // anew\n    // the door\n";
    assert_eq!(count(&comments(text)), 4);
    assert_eq!(count("outdoors, retold, doorway"), 0);
    assert_eq!(count(&prose("anew\n```json\n\"nobody\"\n```\ntold")), 2);
}
