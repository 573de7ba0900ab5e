//! Files on disk, and what an index makes of them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on should stop loudly"
)]

use std::{fs, path::PathBuf, sync::Arc};

use assent_embedding::StaticEmbedding;
use assent_search::{Index, Meaning, ToolText};
use serde_json::json;
use tempfile::TempDir;

/// Two subjects: what is wet, and what is loud.
const WORDS: [(&str, [f32; 2]); 4] =
    [("rain", [1.0, 0.0]), ("fog", [0.9, 0.1]), ("drum", [0.0, 1.0]), ("gong", [0.1, 0.9])];

/// Writes a tokenizer whose pieces are letters and the words, and vectors for these.
fn files() -> (TempDir, PathBuf, PathBuf) {
    let mut vocab = serde_json::Map::new();
    let mut rows: Vec<[f32; 2]> = Vec::new();
    let mut piece = |text: String, row: [f32; 2]| {
        if !vocab.contains_key(&text) {
            vocab.insert(text, rows.len().into());
            rows.push(row);
        }
    };
    piece("▁".to_owned(), [0.0, 0.0]);
    ('a'..='z').for_each(|letter| piece(letter.to_string(), [0.0, 0.0]));
    let mut merges = Vec::new();
    for (word, row) in WORDS {
        for length in 2..word.len() {
            piece(word[..length].to_owned(), [0.0, 0.0]);
        }
        piece(word.to_owned(), row);
        merges.extend(
            (2..=word.len()).map(|length| [&word[..length - 1], &word[length - 1..length]]),
        );
    }
    let tokenizer = json!({
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ]},
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    });
    let data: Vec<u8> =
        rows.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    let head = json!({"table": {
        "dtype": "F32", "shape": [rows.len(), 2], "data_offsets": [0, data.len()],
    }})
    .to_string();
    let weights = [&(head.len() as u64).to_le_bytes(), head.as_bytes(), &data].concat();
    let directory = TempDir::new().unwrap();
    let (one, other) =
        (directory.path().join("tokenizer.json"), directory.path().join("weights.safetensors"));
    fs::write(&one, tokenizer.to_string()).unwrap();
    fs::write(&other, weights).unwrap();
    (directory, one, other)
}

#[test]
fn a_tool_is_found_by_what_it_is_about() {
    let (_directory, tokenizer, weights) = files();
    let embedding = StaticEmbedding::open(tokenizer, weights).unwrap();
    let mut index = Index::with_meaning(Arc::new(embedding));
    for (key, description) in [(1, "Tells of rain"), (2, "Beats a drum")] {
        index.insert(key, &ToolText { description, ..ToolText::default() });
    }
    let keys = |query| index.search(query, 5).iter().map(|hit| hit.key).collect::<Vec<_>>();
    assert_eq!(keys("FOG"), [1]);
    assert_eq!(keys("a gong"), [2]);
    assert!(keys("zzz").is_empty());
}

#[test]
fn the_direction_of_a_text_is_the_sum_of_its_pieces() {
    let (_directory, tokenizer, weights) = files();
    let embedding = StaticEmbedding::open(tokenizer, weights).unwrap();
    assert_eq!(embedding.direction("rain drum rain").unwrap(), [2.0, 1.0]);
    assert_eq!(embedding.direction("?").unwrap_or_default(), [0.0, 0.0]);
    assert!(embedding.direction("").is_none());
}

#[test]
fn a_file_that_cannot_be_used_is_named() {
    let (_directory, tokenizer, weights) = files();
    for (one, other, named) in [
        (&weights, &weights, "weights.safetensors`: it is not a `tokenizer.json`"),
        (&tokenizer, &tokenizer, "tokenizer.json`: it is not a `safetensors` file"),
        (&tokenizer.with_file_name("none"), &weights, "none`: it cannot be read"),
    ] {
        let refused = StaticEmbedding::open(one, other).unwrap_err().to_string();
        assert!(refused.contains(named), "{refused}");
    }
    let read = |path| fs::read(path).unwrap();
    assert!(StaticEmbedding::read(&read(&tokenizer), &read(&weights)).is_ok());
    assert!(StaticEmbedding::read(b"", &read(&weights)).is_err());
}
