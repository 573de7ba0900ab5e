//! A share between 0 and 100.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Number;

/// Per cent, within 0 and 100 as the published schema demands. `50` and `50.0` stay as they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Percent(Number);

impl Percent {
    /// The share, if it is between 0 and 100.
    #[must_use]
    pub fn new(percent: f64) -> Option<Self> {
        let whole = super::number::whole(percent).map(Number::from);
        let number = whole.or_else(|| Number::from_f64(percent))?;
        in_range(&number).then_some(Self(number))
    }

    /// The share as a float.
    #[must_use]
    pub fn get(&self) -> f64 {
        self.0.as_f64().unwrap_or_default()
    }
}

fn in_range(number: &Number) -> bool {
    number.as_f64().is_some_and(|percent| (0.0..=100.0).contains(&percent))
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        if in_range(&number) {
            Ok(Self(number))
        } else {
            Err(de::Error::custom(format_args!("{number} per cent is not between 0 and 100")))
        }
    }
}
