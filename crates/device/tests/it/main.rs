//! A device, an agent and a real relay, connected over loopback.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test that fails panics")]

mod activity;
mod audit;
mod calls;
mod conversations;
mod directory;
mod grants;
mod keys;
mod prompts;
mod refusals;
mod restarts;
mod reviews;
mod scene;
mod settings;
mod silences;
