//! `POST /h2a/relations`

use assent_ids::{AgentId, ManifestHash, ScopeId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Tag, ledger::SignedEntry, model::RelationGrant, value::List};

/// Begins a relation with an agent.
#[derive(Clone, Copy, Debug)]
pub struct CreateRelation;

impl Operation for CreateRelation {
    const ID: &'static str = "create_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/h2a/relations";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Grant scopes to an agent";
    const DESCRIPTION: &'static str = "\
        Makes the private conversation of the two. `manifest_hash` names the manifest that the \
        person saw: if the agent has published another one since, nothing is granted and the \
        answer is `MANIFEST_CHANGED`. The ledger entry has the action `grant` and says the same \
        as the request. The same entry again gives the same answer.";
    const SUCCESS: u16 = 201;
    const EXTRA_SUCCESS: &'static [(u16, &'static str)] =
        &[(200, "The same entry was stored before: the same answer again.")];
    const ERRORS: &'static [ApiCode] = &[
        ApiCode::NotFound,
        ApiCode::UnknownScope,
        ApiCode::ManifestChanged,
        ApiCode::Conflict,
        ApiCode::InvalidLedgerEntry,
        ApiCode::LedgerConflict,
    ];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("create_relation.json");

    type Path = ();
    type Query = ();
    type Body = NewRelation;
    type Reply = RelationGrant;
}

/// What is granted to whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewRelation {
    /// The agent.
    pub agent_id: AgentId,
    /// What is granted; may be empty.
    pub granted_scopes: List<ScopeId, 0, 256>,
    /// The manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// The same, signed by a device of the person.
    pub ledger_entry: SignedEntry,
}
