//! Manifests: checked, compared with the one before, published.
//!
//! Checking and comparing take milliseconds, so they happen before a transaction, which then finds out
//! whether the comparison still holds.

mod check;
mod compare;
mod history;
mod places;
mod publish;

pub(crate) use self::{
    check::{Checked, check},
    compare::{Comparison, compare},
    history::{Past, past},
    places::{Place, Places},
    publish::{Publication, publish},
};
