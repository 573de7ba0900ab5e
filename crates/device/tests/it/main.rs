//! A device, an agent and a real relay, connected over loopback.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails panics")]

mod audit;
mod calls;
mod prompts;
mod refusals;
mod restarts;
mod scene;
mod silences;
