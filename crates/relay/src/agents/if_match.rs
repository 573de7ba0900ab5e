//! `If-Match`: for which manifest a change was made.

use assent_ids::ManifestHash;
use assent_protocol::a2h::{ApiCode, ApiError};
use http::{HeaderMap, header::IF_MATCH};

use crate::http::Refusal;

/// What the header asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IfMatch {
    /// Nothing.
    Anything,
    /// That there is a manifest: `*`.
    Something,
    /// That the manifest is one of these.
    OneOf(Vec<String>),
}

impl IfMatch {
    /// Reads the header.
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut tags = Vec::new();
        let mut any = false;
        for value in headers.get_all(IF_MATCH) {
            let text = value.to_str().map_err(|_| malformed())?;
            for part in text.split(',').map(str::trim) {
                match part {
                    "*" => any = true,
                    part => tags.extend(tag(part)?),
                }
            }
        }
        Ok(match (any, headers.contains_key(IF_MATCH)) {
            (true, _) => Self::Something,
            (false, true) => Self::OneOf(tags),
            (false, false) => Self::Anything,
        })
    }

    /// Whether `present` is what was asked for.
    pub(super) fn check(&self, present: Option<&ManifestHash>) -> Result<(), Refusal> {
        let holds = match self {
            Self::Anything => true,
            Self::Something => present.is_some(),
            Self::OneOf(tags) => {
                present.is_some_and(|hash| tags.iter().any(|tag| tag == hash.as_str()))
            }
        };
        if holds { Ok(()) } else { Err(failed(present)) }
    }
}

/// The hash in a tag. A weak one (`W/"…"`) never matches.
fn tag(part: &str) -> Result<Option<String>, Refusal> {
    let (weak, quoted) = match part.strip_prefix("W/") {
        Some(rest) => (true, rest),
        None => (false, part),
    };
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inner = inner.filter(|inner| !inner.contains('"')).ok_or_else(malformed)?;
    Ok((!weak).then(|| inner.to_owned()))
}

fn malformed() -> Refusal {
    let text = "`If-Match` must hold the hash of a manifest in quotation marks";
    Refusal::new(ApiCode::BadRequest, text)
}

fn failed(present: Option<&ManifestHash>) -> Refusal {
    let text = "the agent has another manifest by now; look at it and try again";
    let hash = present.map(|hash| hash.as_str().to_owned());
    ApiError::new(ApiCode::PreconditionFailed, text).with("manifest_hash", hash).into()
}

#[cfg(test)]
mod tests {
    use assent_ids::ManifestHash;
    use http::{HeaderMap, HeaderValue, header::IF_MATCH};
    use proptest::prelude::*;

    use super::IfMatch;

    fn read(value: &str) -> Option<IfMatch> {
        let mut headers = HeaderMap::new();
        headers.insert(IF_MATCH, HeaderValue::from_str(value).ok()?);
        IfMatch::read(&headers).ok()
    }

    fn holds(value: &str, present: Option<&ManifestHash>) -> bool {
        read(value).is_some_and(|header| header.check(present).is_ok())
    }

    #[test]
    fn only_the_hash_itself_in_quotation_marks_matches() {
        let hash: ManifestHash = "ab".repeat(32).parse().unwrap();
        let other = "cd".repeat(32);
        for (value, expected) in [
            (format!("\"{hash}\""), true),
            (format!("\"{other}\", \"{hash}\""), true),
            ("*".to_owned(), true),
            (format!("\"{other}\""), false),
            (format!("W/\"{hash}\""), false),
            (hash.to_string(), false),
            (format!("\"{hash}"), false),
            (String::new(), false),
        ] {
            assert_eq!(holds(&value, Some(&hash)), expected, "{value}");
            assert!(!holds(&value, None), "{value}");
        }
        assert!(IfMatch::read(&HeaderMap::new()).unwrap().check(None).is_ok());
    }

    proptest! {
        #[test]
        fn no_header_whatever_passes_for_a_hash_that_it_does_not_name(value in "[ -~]{0,80}") {
            let hash: ManifestHash = "ab".repeat(32).parse().unwrap();
            prop_assert!(!holds(&value, Some(&hash)) || value.contains('*'));
        }
    }
}
