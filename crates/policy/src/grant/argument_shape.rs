//! The arguments that a grant covers.

use assent_json::{Digest, Node, Pointer};
use serde::{Deserialize, Serialize};

use super::text;
use crate::{ArgumentSpec, shape};

/// The arguments that a grant covers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArgumentShape {
    /// All arguments.
    #[default]
    Any,
    /// Arguments whose canonical form has this digest.
    Exact(#[serde(with = "text::one_digest")] Digest),
    /// Arguments that meet all these conditions.
    Conditions(Vec<ArgumentSpec>),
    /// Arguments of this [`shape()`], with these values.
    Shape {
        /// The keys and types.
        #[serde(with = "text::one_digest")]
        shape: Digest,
        /// JSON Pointers, with the digests of the values.
        #[serde(default, with = "text::pinned")]
        pinned: Vec<(String, Digest)>,
    },
}

impl ArgumentShape {
    /// Covers exactly these arguments.
    #[must_use]
    pub fn exact(input: Node<'_>) -> Self {
        Self::Exact(Digest::of(&input.canonical()))
    }

    /// Covers similar arguments: the same keys and types, and the same values at `pinned`.
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

    /// Returns the equivalent conditions.
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
