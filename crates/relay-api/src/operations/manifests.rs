//! What agents declare, version by version.

mod diff_manifests;
mod get_manifest;
mod list_manifests;

pub use diff_manifests::{DiffManifests, DiffQuery, ManifestDiff};
pub use get_manifest::{GetManifest, ManifestPath};
pub use list_manifests::{ListManifests, ManifestsQuery};
