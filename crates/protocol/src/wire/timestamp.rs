//! Points in time, as RFC 3339 text.

use std::{borrow::Cow, fmt};

use assent_ids::UnixMillis;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A point in time in a record. The schemas admit any string, so any text is read and kept;
/// [`Self::instant`] checks that it is a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(Box<str>);

/// The text is not an RFC 3339 time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an RFC 3339 time such as `2026-05-08T00:00:00Z`")]
pub struct NotRfc3339(Box<str>);

impl Timestamp {
    /// The text as it was received or made.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The point in time.
    ///
    /// # Errors
    /// If the text is not an RFC 3339 date and time with an offset.
    pub fn instant(&self) -> Result<jiff::Timestamp, NotRfc3339> {
        let text = self.as_str();
        let parsed = has_rfc3339_form(text).then(|| text.parse().ok()).flatten();
        parsed.ok_or_else(|| NotRfc3339(text.into()))
    }
}

/// Returns `true` if the text has the punctuation and digits of RFC 3339 §5.6. jiff also reads other
/// notations (a space as separator, `+02`, a zone in brackets); it checks the values.
fn has_rfc3339_form(text: &str) -> bool {
    let Some((date_time, rest)) = text.split_at_checked(19) else { return false };
    let form = "dddd-dd-ddTdd:dd:dd";
    let fits = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, want)| match want {
                b'd' => byte.is_ascii_digit(),
                b'T' => byte.eq_ignore_ascii_case(&b'T'),
                want => byte == want,
            })
    };
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if offset.len() == fraction.len() {
                return false;
            }
            offset
        }
        None => rest,
    };
    fits(date_time, form)
        && (offset.eq_ignore_ascii_case("z")
            || offset.strip_prefix(['+', '-']).is_some_and(|offset| fits(offset, "dd:dd")))
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(instant: jiff::Timestamp) -> Self {
        Self(instant.to_string().into())
    }
}

impl From<UnixMillis> for Timestamp {
    /// Writes three digits after the second, so that texts sort by time.
    fn from(millis: UnixMillis) -> Self {
        let signed = i64::try_from(millis.get()).unwrap_or(i64::MAX);
        let instant = jiff::Timestamp::from_millisecond(signed).unwrap_or(jiff::Timestamp::MAX);
        Self(format!("{instant:.3}").into())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "date-time",
            "description": "A point in time, RFC 3339 in UTC with milliseconds.",
            "examples": ["2026-05-08T09:30:00.000Z"],
        })
    }
}
