//! What a relay can and cannot make of a relation by the manifests that it gives.

use assent_ids::ScopeId;
use assent_json::{Digest, canonicalize};
use serde_json::{Value, json};

use super::{Considered, RelayNotice, compare};
use crate::{
    DeviceError, DeviceRelation, RelationStanding, ScopeAccess, agent_manifest::AgentManifest,
};

fn manifest(version: u64, fields: &[&str], required: &[&str]) -> AgentManifest {
    let properties: Value =
        fields.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    let text = json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [{
            "name": "read_file",
            "description_i18n_key": "agent.test.read_file",
            "input_schema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "permission_scope": "filesystem:read",
        }],
        "permission_scopes": [
            { "id": "filesystem:read", "label_i18n_key": "scope.files", "sensitivity": "medium" },
        ],
        "capability_flags": {},
    })
    .to_string();
    let digest = Digest::of(&canonicalize(text.as_bytes()).expect("it is JSON"));
    AgentManifest { version, hash: digest.to_string().parse().expect("it is a digest"), text }
}

fn files() -> ScopeId {
    "filesystem:read".parse().expect("it is a scope")
}

/// A relation whose person has agreed to version 2.
fn relation() -> DeviceRelation {
    let agreed = manifest(2, &["path"], &["path"]);
    DeviceRelation {
        agent_id: "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().expect("it is an id"),
        agent_name: "helper".to_owned(),
        owner_name: "Owner".to_owned(),
        established: None,
        state: RelationStanding::Active,
        granted_scopes: vec![files()],
        revoked_scopes: Vec::new(),
        latest: agreed.seen(),
        agreed,
        adopted: None,
        review: None,
        rejected: None,
        changed_keys: None,
        is_verified: false,
        ledger: Vec::new(),
        unsent: None,
    }
}

fn consider(
    relation: &mut DeviceRelation,
    given: &AgentManifest,
    scopes: &[ScopeId],
) -> Considered {
    let comparison = compare(relation.agreed.clone(), given).expect("both are valid");
    let notice = RelayNotice { requires_reauth: !scopes.is_empty(), scopes: scopes.to_vec() };
    relation.consider(given, &comparison, &notice).expect("it was compared with the agreed one")
}

#[test]
fn a_version_below_the_latest_is_shown_and_not_used() {
    let mut relation = relation();
    consider(&mut relation, &manifest(3, &["path", "offset"], &["path"]), &[]);
    let adopted = relation.adopted.clone();
    assert_eq!(adopted.as_ref().map(|manifest| manifest.version), Some(3));
    let considered = consider(&mut relation, &manifest(2, &["path"], &["path"]), &[]);
    assert!(considered.is_news && !considered.is_other_manifest, "{considered:?}");
    assert_eq!(relation.adopted, adopted);
    assert!(relation.rejected.expect("it is shown").reason.contains("version 2, and 3 was seen"));
}

#[test]
fn another_manifest_under_a_version_that_was_seen_is_not_used() {
    let mut relation = relation();
    let considered = consider(&mut relation, &manifest(2, &["path", "offset"], &["path"]), &[]);
    assert!(!considered.is_other_manifest && !considered.is_new_review, "{considered:?}");
    assert_eq!(relation.rejected.as_ref().map(|rejected| rejected.version), Some(2));
    // The one that was agreed to is accepted again.
    consider(&mut relation, &manifest(2, &["path"], &["path"]), &[]);
    assert_eq!(relation.rejected, None);
}

#[test]
fn the_device_asks_also_if_the_relay_does_not_say_so() {
    let mut relation = relation();
    let narrower = manifest(3, &["path", "encoding"], &["path", "encoding"]);
    let considered = consider(&mut relation, &narrower, &[]);
    assert!(considered.is_new_review && !considered.is_other_manifest, "{considered:?}");
    assert_eq!(relation.access(&files()), ScopeAccess::Paused);
    // A version that takes the change back needs no answer.
    let considered = consider(&mut relation, &manifest(4, &["path", "offset"], &["path"]), &[]);
    assert!(considered.is_review_gone && considered.is_other_manifest, "{considered:?}");
    assert_eq!(relation.access(&files()), ScopeAccess::Granted);
}

#[test]
fn the_device_asks_if_the_relay_says_so_and_nothing_breaks() {
    let mut relation = relation();
    relation.require_reauth(3, &[files()]);
    assert_eq!(relation.access(&files()), ScopeAccess::Paused, "before the manifest is there");
    let wider = manifest(3, &["path", "offset"], &["path"]);
    let considered = consider(&mut relation, &wider, &[]);
    assert!(considered.is_new_review && !considered.is_other_manifest, "{considered:?}");
    assert_eq!(relation.access(&files()), ScopeAccess::Paused);
    // What is said about versions that were agreed to changes nothing.
    let mut other = self::relation();
    other.require_reauth(2, &[files()]);
    assert_eq!(other, self::relation());
}

#[test]
fn a_refusal_holds_for_the_manifest_that_was_refused() {
    let mut relation = relation();
    let narrower = manifest(3, &["path", "encoding"], &["path", "encoding"]);
    consider(&mut relation, &narrower, &[]);
    if let Some(review) = &mut relation.review {
        review.is_refused = true;
    }
    let considered = consider(&mut relation, &narrower, &[]);
    assert!(!considered.is_news, "{considered:?}");
    let next = manifest(4, &["path", "mode"], &["path", "mode"]);
    assert!(consider(&mut relation, &next, &[]).is_new_review);
    assert!(!relation.review.expect("it is reviewed").is_refused);
}

#[test]
fn a_comparison_with_another_manifest_than_the_agreed_one_does_not_count() {
    let mut relation = relation();
    let given = manifest(3, &["path", "offset"], &["path"]);
    let comparison = compare(manifest(1, &["path"], &[]), &given).expect("both are valid");
    let refused = relation.consider(&given, &comparison, &RelayNotice::default());
    assert!(matches!(refused, Err(DeviceError::ManifestChanged)), "{refused:?}");
}
