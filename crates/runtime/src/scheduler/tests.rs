//! The scheduler as the pipeline uses it.

mod chaos;
mod scale;
mod scenarios;
mod slots;
pub(super) mod support;
mod threads;
