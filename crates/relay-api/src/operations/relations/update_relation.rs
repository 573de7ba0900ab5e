//! `PATCH /h2a/relations/{relation_id}`

use assent_ids::{ManifestHash, ScopeId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag, ledger::SignedEntry, model::RelationGrant,
    path::RelationPath, value::List,
};

/// Changes what is granted, or agrees to another manifest.
#[derive(Clone, Copy, Debug)]
pub struct UpdateRelation;

impl Operation for UpdateRelation {
    const ID: &'static str = "update_relation";
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/h2a/relations/{relation_id}";
    const ACCESS: Access = Access::new(Credential::User, Needs::PersonOfRelation);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Change what is granted";
    const DESCRIPTION: &'static str = "\
        `granted_scopes` is everything that is granted from now on. Scopes can be taken back under \
        the manifest that was agreed to before, whatever the agent has published since. The ledger \
        entry has the action `update` and says the same as the request. The same entry again gives \
        the same answer.";
    const ERRORS: &'static [ApiCode] = &[
        ApiCode::UnknownScope,
        ApiCode::ManifestChanged,
        ApiCode::RelationInactive,
        ApiCode::InvalidLedgerEntry,
        ApiCode::LedgerConflict,
    ];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("update_relation.json");

    type Path = RelationPath;
    type Query = ();
    type Body = ChangedGrants;
    type Reply = RelationGrant;
}

/// What is granted from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedGrants {
    /// What is granted from now on; may be empty.
    pub granted_scopes: List<ScopeId, 0, 256>,
    /// The manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// The same, signed by a device of the person.
    pub ledger_entry: SignedEntry,
}
