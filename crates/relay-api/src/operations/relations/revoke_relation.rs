//! `POST /h2a/relations/{relation_id}/revoke`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag, ledger::SignedEntry, model::Relation,
    path::RelationPath,
};

/// Ends a relation.
#[derive(Clone, Copy, Debug)]
pub struct RevokeRelation;

impl Operation for RevokeRelation {
    const ID: &'static str = "revoke_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/h2a/relations/{relation_id}/revoke";
    const ACCESS: Access = Access::new(Credential::User, Needs::PersonOfRelation);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "End a relation";
    const DESCRIPTION: &'static str = "\
        The ledger entry has the action `revoke`. Nothing is delivered between the two from now \
        on; calls that wait for an answer are denied. The same entry again gives the same \
        answer.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::InvalidLedgerEntry, ApiCode::LedgerConflict];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("revoke_relation.json");

    type Path = RelationPath;
    type Query = ();
    type Body = Revocation;
    type Reply = Relation;
}

/// The end of a relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revocation {
    /// The revocation, signed by a device of the person.
    pub ledger_entry: SignedEntry,
}
