//! What agents declare, version by version.

mod diff_manifests;
mod get_manifest;
mod list_manifests;

use crate::http::Routes;

/// Adds the operations on manifests.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::manifests::{DiffManifests, GetManifest, ListManifests};
    routes.serve::<ListManifests>().serve::<GetManifest>().serve::<DiffManifests>()
}
