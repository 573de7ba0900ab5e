//! The scheduler as the pipeline uses it.

mod chaos;
mod places;
mod scale;
mod scenarios;
pub(super) mod support;
mod threads;
