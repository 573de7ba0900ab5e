//! Formats: strings of a kind that the standard describes in prose.
//!
//! What belongs to a format is decided by the validator alone. Here are examples of each, to try
//! when a witness is needed, and the few formats that are known to contain others.

use std::collections::BTreeMap;

use jsonschema::{Validator, json::SerdeJson};
use serde_json::{Value, json};

/// A format and strings that belong to it.
const FORMATS: [(&str, &[&str]); 19] = [
    ("date", &["2026-01-31", "1999-12-01"]),
    ("date-time", &["2026-01-31T12:00:00Z", "1999-12-01T00:00:00.5+01:00"]),
    ("duration", &["P1D", "PT1H30M", "P3W"]),
    ("email", &["a@b.cd", "someone@example.com"]),
    ("hostname", &["a", "example.com", "a-b.example"]),
    ("idn-email", &["a@b.cd", "someone@example.com"]),
    ("idn-hostname", &["a", "example.com", "例え.jp"]),
    ("ipv4", &["127.0.0.1", "10.20.30.40", "192.168.100.200"]),
    ("ipv6", &["::1", "2001:db8::1", "2001:db8:0:1:2:3:4:5"]),
    ("iri", &["a:b", "https://example.com/", "https://example.com/ä"]),
    ("iri-reference", &["a", "", "/a/b", "https://example.com/"]),
    ("json-pointer", &["", "/a", "/a/0"]),
    ("regex", &["a", "", "^a+$"]),
    ("relative-json-pointer", &["0", "1/a", "0#"]),
    ("time", &["12:00:00Z", "00:00:00.5+01:00"]),
    ("uri", &["a:b", "https://example.com/", "https://example.com/a?b=c#d"]),
    ("uri-reference", &["a", "", "/a/b", "https://example.com/"]),
    ("uri-template", &["a", "", "/a/{b}"]),
    ("uuid", &["00000000-0000-4000-8000-000000000000"]),
];

/// Every string of the first format is one of the second. Only what follows from the definitions.
const CONTAINED: [(&str, &str); 7] = [
    ("uri", "uri-reference"),
    ("uri", "iri"),
    ("uri", "iri-reference"),
    ("uri-reference", "iri-reference"),
    ("iri", "iri-reference"),
    ("email", "idn-email"),
    ("hostname", "idn-hostname"),
];

/// True if the validator checks strings for this format.
pub(crate) fn is_known(format: &str) -> bool {
    FORMATS.iter().any(|(name, _)| *name == format)
}

/// Strings that belong to `format`.
pub(crate) fn examples(format: &str) -> &'static [&'static str] {
    FORMATS.iter().find(|(name, _)| *name == format).map_or(&[], |(_, examples)| examples)
}

/// True if every string of `inner` surely belongs to `outer`.
pub(crate) fn is_contained(inner: &str, outer: &str) -> bool {
    inner == outer || CONTAINED.contains(&(inner, outer))
}

/// Asks the validator whether strings belong to formats.
#[derive(Default)]
pub(crate) struct Formats {
    validators: BTreeMap<String, Option<Validator>>,
}

impl Formats {
    /// True if `text` belongs to `format`; nothing if that cannot be asked.
    pub(crate) fn accepts(&mut self, format: &str, text: &str) -> Option<bool> {
        if !self.validators.contains_key(format) {
            let schema = json!({ "format": format });
            let validator = crate::input_schema::options::<SerdeJson>().build(&schema).ok();
            self.validators.insert(format.to_owned(), validator);
        }
        let validator = self.validators.get(format)?.as_ref()?;
        Some(validator.is_valid(&Value::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_belongs_to_its_format_and_some_string_does_not() {
        let mut formats = Formats::default();
        for (format, examples) in FORMATS {
            for example in examples {
                assert_eq!(formats.accepts(format, example), Some(true), "{format}: {example}");
            }
            let outside = ["\u{1}", "{", "a b", " [", "(", "%"];
            let refused = outside.iter().any(|text| formats.accepts(format, text) == Some(false));
            assert!(refused, "{format} accepts everything: the validator does not know it");
        }
    }

    #[test]
    fn examples_of_a_contained_format_belong_to_the_containing_one() {
        let mut formats = Formats::default();
        for (inner, outer) in CONTAINED {
            for example in examples(inner) {
                assert_eq!(
                    formats.accepts(outer, example),
                    Some(true),
                    "{inner}, {outer}: {example}"
                );
            }
        }
    }
}
