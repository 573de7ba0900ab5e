//! Agents that are connected to a relay and a device over loopback.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails panics"
)]

mod calls;
mod handlers;
mod llm_loop;
mod scene;
