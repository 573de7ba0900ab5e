//! Capability manifests: check, canonical form, hash and diff with witnesses.
