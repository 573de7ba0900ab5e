//! `GET /h2a/relations/{relation_id}/ledger`

use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag,
    ledger::LedgerRecord,
    path::RelationPath,
    value::{Cursor, Limit},
};

/// Gets the ledger of a relation, from its first entry on.
#[derive(Clone, Copy, Debug)]
pub struct GetLedger;

impl Operation for GetLedger {
    const ID: &'static str = "get_ledger";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/h2a/relations/{relation_id}/ledger";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::PartyOfRelation);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Get the ledger of a relation";
    const DESCRIPTION: &'static str = "\
        The chain belongs to the person and the agent, and goes on when they begin another \
        relation.";
    const IDEMPOTENT: bool = true;

    type Path = RelationPath;
    type Query = LedgerQuery;
    type Body = ();
    type Reply = Page<LedgerRecord>;
}

/// Which part of the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerQuery {
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
