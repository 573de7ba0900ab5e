//! Takes texts apart into pieces: a `tokenizer.json` of the kind that Llama has.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use serde_json::Value;

use crate::{
    error::Fault,
    merging::{Merge, Merges},
};

/// Stands for a space, and at the beginning of a text.
const SPACE: char = '▁';

/// Knows the pieces of texts.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    /// Letters that are pieces.
    letters: BTreeMap<char, u32>,
    /// Bytes that are pieces: for letters that are none.
    bytes: Box<[Option<u32>]>,
    /// The piece for what is nothing else.
    unknown: Option<u32>,
    merges: Merges,
}

/// What we read of the file.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    normalizer: Value,
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: String,
    unk_token: Option<String>,
    vocab: BTreeMap<String, u32>,
    merges: Vec<Pair>,
}

/// Two pieces: as one text with a space between them, or as a list.
struct Pair(String, String);

impl Tokenizer {
    /// Reads the file of a tokenizer whose pieces have numbers below `pieces`.
    pub(crate) fn read(file: &[u8], pieces: usize) -> Result<Self, Fault> {
        let file: File = serde_json::from_slice(file).map_err(Fault::NotATokenizer)?;
        if file.model.kind != "BPE" {
            return Err(Fault::UnknownTokenizer("it does not encode pairs"));
        }
        if !file.pre_tokenizer.is_null() || !makes_spaces_visible(&file.normalizer) {
            return Err(Fault::UnknownTokenizer("it takes texts apart in another way"));
        }
        let Model { vocab, merges, unk_token, .. } = file.model;
        if let Some((piece, number)) = vocab.iter().find(|(_, number)| **number as usize >= pieces)
        {
            let what = format!("the piece `{piece}` has the number {number} of {pieces}");
            return Err(Fault::Inconsistent(what));
        }
        let merges = (0..).zip(&merges).map(|(rank, pair)| pair.merge(rank, &vocab));
        let byte = |byte: u8| vocab.get(&format!("<0x{byte:02X}>")).copied();
        Ok(Self {
            merges: Merges::new(merges.collect::<Result<_, _>>()?),
            bytes: (0..=u8::MAX).map(byte).collect(),
            unknown: unk_token.and_then(|unknown| vocab.get(&unknown).copied()),
            letters: vocab
                .iter()
                .filter_map(|(piece, number)| Some((only(piece)?, *number)))
                .collect(),
        })
    }

    /// The numbers of the pieces of a text.
    pub(crate) fn pieces(&self, text: &str) -> Vec<u32> {
        if text.is_empty() {
            return Vec::new();
        }
        let mut pieces = Vec::with_capacity(text.len() + 1);
        let letters = text.chars().map(|letter| if letter == ' ' { SPACE } else { letter });
        for letter in [SPACE].into_iter().chain(letters) {
            self.add_letter(letter, &mut pieces);
        }
        self.merges.apply(pieces)
    }

    fn add_letter(&self, letter: char, pieces: &mut Vec<u32>) {
        if let Some(piece) = self.letters.get(&letter) {
            pieces.push(*piece);
            return;
        }
        let mut room = [0; 4];
        let bytes = letter.encode_utf8(&mut room).bytes();
        let known: Option<Vec<u32>> =
            bytes.map(|byte| self.bytes.get(usize::from(byte)).copied().flatten()).collect();
        match known {
            Some(bytes) => pieces.extend(bytes),
            // However many follow each other, they say no more than one.
            None => pieces.extend(self.unknown.filter(|unknown| pieces.last() != Some(unknown))),
        }
    }
}

/// The one letter of a text.
fn only(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// Whether `▁` is put before a text and in place of its spaces, and nothing else is changed.
fn makes_spaces_visible(normalizer: &Value) -> bool {
    let Some(steps) = normalizer.get("normalizers").and_then(Value::as_array) else { return false };
    let space = Value::from(SPACE.to_string());
    let is = |step: &Value, kind: &str, field: &str, value: &Value| {
        step.get("type").and_then(Value::as_str) == Some(kind) && step.get(field) == Some(value)
    };
    let [before, replaced] = &steps[..] else { return false };
    is(before, "Prepend", "prepend", &space)
        && is(replaced, "Replace", "content", &space)
        && replaced.pointer("/pattern/String").and_then(Value::as_str) == Some(" ")
}

impl Pair {
    fn merge(&self, rank: u32, vocab: &BTreeMap<String, u32>) -> Result<Merge, Fault> {
        let Self(one, other) = self;
        let find = |piece: &str| {
            let missing =
                || Fault::Inconsistent(format!("`{one}` and `{other}` have no `{piece}`"));
            vocab.get(piece).copied().ok_or_else(missing)
        };
        let merged = [one.as_str(), other.as_str()].concat();
        Ok(Merge { pair: (find(one)?, find(other)?), rank, merged: find(&merged)? })
    }
}

impl<'de> Deserialize<'de> for Pair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Pair;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("two pieces")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Pair, E> {
                let pair = text.split_once(' ');
                let (one, other) = pair.ok_or_else(|| E::custom("a merge without a space"))?;
                Ok(Pair(one.to_owned(), other.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pair, A::Error> {
                let missing = || serde::de::Error::custom("a merge of fewer than two pieces");
                let one = list.next_element()?.ok_or_else(missing)?;
                let other = list.next_element()?.ok_or_else(missing)?;
                Ok(Pair(one, other))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::Tokenizer;

    /// Knows `rain`, and bytes for `é`.
    fn file() -> Value {
        json!({
            "normalizer": {"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ]},
            "pre_tokenizer": null,
            "model": {
                "type": "BPE", "unk_token": "<unk>",
                "vocab": {
                    "<unk>": 0, "▁": 1, "r": 2, "a": 3, "i": 4, "n": 5, "ra": 6, "in": 7, "rain": 8,
                    "▁rain": 9, "<0xC3>": 10, "<0xA9>": 11,
                },
                "merges": ["r a", ["i", "n"], "ra in", "▁ rain"],
            },
        })
    }

    fn read(file: &Value) -> Result<Tokenizer, String> {
        Tokenizer::read(file.to_string().as_bytes(), 12).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_text_is_taken_apart_into_the_largest_pieces() {
        let tokenizer = read(&file()).unwrap();
        for (text, pieces) in [
            ("", &[][..]),
            ("rain", &[9]),
            ("rain rain", &[9, 9]),
            ("brain", &[1, 0, 8]),
            ("ranin", &[1, 6, 5, 7]),
            ("é", &[1, 10, 11]),
            ("雨雨a", &[1, 0, 3]),
        ] {
            assert_eq!(tokenizer.pieces(text), pieces, "{text}");
        }
    }

    #[test]
    fn a_tokenizer_of_another_kind_is_refused() {
        for (place, value, why) in [
            ("/model/type", json!("Unigram"), "it does not encode pairs"),
            ("/pre_tokenizer", json!({"type": "Whitespace"}), "in another way"),
            ("/normalizer", json!(null), "in another way"),
            ("/normalizer/normalizers/0/prepend", json!("_"), "in another way"),
            ("/normalizer/normalizers/1/pattern/String", json!("x"), "in another way"),
            ("/model/vocab/rain", json!(12), "the piece `rain` has the number 12 of 12"),
            ("/model/merges/0", json!("r x"), "`r` and `x` have no `x`"),
            ("/model/merges/0", json!("ra"), "a merge without a space"),
            ("/model/merges/0", json!(["r"]), "fewer than two"),
            ("/model/merges/0", json!(7), "two pieces"),
            ("/model/vocab", json!([]), "not a `tokenizer.json`"),
        ] {
            let mut changed = file();
            *changed.pointer_mut(place).unwrap() = value;
            let refused = read(&changed).unwrap_err();
            assert!(refused.contains(why), "{place}: {refused}");
        }
    }

    proptest! {
        #[test]
        fn every_text_has_pieces_that_exist(text in "\\PC{0,80}") {
            let pieces = read(&file()).unwrap().pieces(&text);
            prop_assert!(pieces.iter().all(|piece| *piece < 12));
            prop_assert_eq!(pieces.is_empty(), text.is_empty());
        }
    }
}
