//! Two mailboxes and a relay between them that can lose, repeat and change what it carries.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails panics"
)]

mod exchange;
mod pair;
