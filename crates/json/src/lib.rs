//! Strict JSON with positions, RFC 8785 canonical form and SHA-256.
//!
//! Everything that is signed, hashed, compared or shown to a person is read by this crate, so that no two
//! parts of the system can disagree about the meaning of a document. Texts that parsers disagree about
//! are refused: duplicate keys, lone surrogates, numbers that no double represents, a byte order mark,
//! bytes after the end.
//!
//! ```
//! let text = br#"{"b": 1.0, "a": "\u20ac"}"#;
//! let document = assent_json::read(text)?;
//! assert_eq!(document.canonical(), "{\"a\":\"€\",\"b\":1}".as_bytes());
//! assert_eq!(document.root().get("b").map(|node| node.offset()), Some(6));
//! # Ok::<(), assent_json::ReadError>(())
//! ```
//!
//! One pass turns the text into a flat [`Tape`] of entries that point into the text, without an allocation
//! per value. Most of the canonical form is copied from the source: strings without escapes and short
//! integers are canonical as they are.

mod canonical;
mod digest;
mod document;
mod error;
mod hidden;
mod json;
mod locate;
mod number;
mod order;
mod pointer;
mod position;
mod problem;
mod read;
mod shorten;
mod tape;
mod value;

pub use canonical::{Canonicalizer, canonicalize, digest};
pub use digest::{Digest, ParseDigestError};
pub use document::{Document, Elements, Kind, Members, Node};
pub use error::{ReadError, ReadErrorKind};
pub use hidden::{hidden_character, is_invisible, visible};
pub use json::Json;
pub use number::Number;
pub use order::utf16_order;
pub use pointer::Pointer;
pub use position::Position;
pub use problem::Problem;
pub use read::{MAX_DEPTH, MAX_DOCUMENT_BYTES, read, read_into};
pub use shorten::shorten;
pub use tape::Tape;
