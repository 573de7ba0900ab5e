//! Manifests: checked, compared with the one before, published, and announced to the people concerned.
//!
//! Checking and comparing take milliseconds, so they happen before a transaction, which then finds out
//! whether the comparison still holds.

pub(crate) mod broadcasts;
mod check;
mod compare;
mod diff_manifests;
mod get_manifest;
mod history;
mod list_manifests;
mod publication_locks;
mod publish;

use assent_relay_api::operations::manifests::{DiffManifests, GetManifest, ListManifests};

pub(crate) use self::{
    check::{Checked, check},
    compare::{Comparison, compare},
    history::{Past, past},
    publication_locks::{PublicationLock, PublicationLocks},
    publish::{Publication, publish},
};
use crate::http::Routes;

/// Adds the operations on manifests.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes.serve::<ListManifests>().serve::<GetManifest>().serve::<DiffManifests>()
}
