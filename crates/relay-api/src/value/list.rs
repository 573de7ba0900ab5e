//! Lists that are neither too short nor too long, and never hold a thing twice.

use std::{borrow::Cow, collections::BTreeSet, fmt, marker::PhantomData, ops::Deref};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, SeqAccess, Visitor},
};

use super::BrokenRule;

/// `MIN` to `MAX` things, each of them once, in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct List<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// The things.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T: Ord, const MIN: usize, const MAX: usize> TryFrom<Vec<T>> for List<T, MIN, MAX> {
    type Error = BrokenRule;

    fn try_from(things: Vec<T>) -> Result<Self, BrokenRule> {
        if !(MIN..=MAX).contains(&things.len()) {
            return Err(wrong_length::<MIN, MAX>());
        }
        if things.iter().collect::<BTreeSet<_>>().len() < things.len() {
            return Err(BrokenRule::new("something stands twice in this list"));
        }
        Ok(Self(things))
    }
}

fn wrong_length<const MIN: usize, const MAX: usize>() -> BrokenRule {
    BrokenRule::new(format!("this list has {MIN} to {MAX} entries"))
}

impl<T, const MAX: usize> Default for List<T, 0, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for List<T, MIN, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T, const MIN: usize, const MAX: usize> Deserialize<'de> for List<T, MIN, MAX>
where
    T: Deserialize<'de> + Ord,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Entries::<T, MIN, MAX>(PhantomData))
    }
}

struct Entries<T, const MIN: usize, const MAX: usize>(PhantomData<T>);

impl<'de, T, const MIN: usize, const MAX: usize> Visitor<'de> for Entries<T, MIN, MAX>
where
    T: Deserialize<'de> + Ord,
{
    type Value = List<T, MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut things = Vec::new();
        // What follows the first entry too many is not even read.
        while let Some(thing) = entries.next_element()? {
            if things.len() == MAX {
                return Err(de::Error::custom(wrong_length::<MIN, MAX>()));
            }
            things.push(thing);
        }
        List::try_from(things).map_err(de::Error::custom)
    }
}

impl<T: JsonSchema, const MIN: usize, const MAX: usize> JsonSchema for List<T, MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ListOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<T>(),
            "minItems": MIN,
            "maxItems": MAX,
            "uniqueItems": true,
        })
    }
}
