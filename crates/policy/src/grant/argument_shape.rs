//! Which arguments a grant is about.

use assent_json::{Digest, Node, Pointer};
use serde::{Deserialize, Serialize};

use super::text;
use crate::{ArgumentSpec, shape};

/// The arguments that a grant is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentShape {
    /// All.
    #[default]
    Any,
    /// Those with this digest, in canonical form.
    Exact(#[serde(with = "text::one_digest")] Digest),
    /// Those of which all this holds.
    Conditions(Vec<ArgumentSpec>),
    /// Those of this [`shape()`], with these values at these places.
    Shape {
        /// The keys and types.
        #[serde(with = "text::one_digest")]
        shape: Digest,
        /// JSON Pointers, and the digests of the values there.
        #[serde(default, with = "text::pinned")]
        pinned: Vec<(String, Digest)>,
    },
}

impl ArgumentShape {
    /// These arguments and no others.
    #[must_use]
    pub fn exact(input: Node<'_>) -> Self {
        Self::Exact(Digest::of(&input.canonical()))
    }

    /// Arguments like these: the same keys and types, and the same values at `pinned`.
    #[must_use]
    pub fn like(input: Node<'_>, pinned: &[Pointer]) -> Self {
        let value = |pointer: &Pointer| {
            let mut tokens = Pointer::tokens(pointer.as_str());
            let found = tokens.try_fold(input, |node, token| {
                node.get(&token).or_else(|| node.elements().nth(token.parse().ok()?))
            });
            found.map(|node| (pointer.to_string(), Digest::of(&node.canonical())))
        };
        Self::Shape { shape: shape(input), pinned: pinned.iter().filter_map(value).collect() }
    }

    /// The same, as conditions.
    pub(super) fn conditions(&self) -> Vec<ArgumentSpec> {
        let digest = |path: &str, digest: &Digest| ArgumentSpec {
            path: path.to_owned(),
            digest: Some(digest.to_string()),
            ..ArgumentSpec::default()
        };
        match self {
            Self::Any => Vec::new(),
            Self::Exact(whole) => vec![digest("", whole)],
            Self::Conditions(conditions) => conditions.clone(),
            Self::Shape { shape, pinned } => {
                let shape = Some(shape.to_string());
                let whole = ArgumentSpec { shape, ..ArgumentSpec::default() };
                let pinned = pinned.iter().map(|(path, value)| digest(path, value));
                std::iter::once(whole).chain(pinned).collect()
            }
        }
    }
}
