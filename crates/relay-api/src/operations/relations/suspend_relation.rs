//! `POST /h2a/relations/{relation_id}/suspend`

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag, model::Relation, path::RelationPath, value::Reason,
};

/// Suspends a relation with an agent of the caller.
#[derive(Clone, Copy, Debug)]
pub struct SuspendRelation;

impl Operation for SuspendRelation {
    const ID: &'static str = "suspend_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/h2a/relations/{relation_id}/suspend";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfRelationsAgent);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Suspend a relation";
    const DESCRIPTION: &'static str = "\
        Nothing is delivered between the two until it is restored. Both sides are told. \
        Suspending a suspended relation changes nothing.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;
    const BODY_OPTIONAL: bool = true;
    const EXAMPLE: &'static str = include_str!("suspend_relation.json");

    type Path = RelationPath;
    type Query = ();
    type Body = Suspension;
    type Reply = Relation;
}

/// Why something is suspended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suspension {
    /// Why, for the people concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}
