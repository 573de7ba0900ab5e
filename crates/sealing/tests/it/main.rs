//! Sealing as its users see it: two sides, an untrusted wire between them.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that fails panics"
)]

mod agent_link;
mod at_rest;
mod exchange;
mod flipped_bytes;
mod prekeys;
mod python;
mod refusals;
mod safety_number;
mod schedules;
mod sides;
mod stateless;
mod vectors;
