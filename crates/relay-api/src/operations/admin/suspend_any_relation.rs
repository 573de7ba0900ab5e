//! `POST /admin/relations/{relation_id}/suspend`

use assent_protocol::a2h::ApiCode;
use http::Method;

use crate::{
    Access, Operation, Tag, model::Relation, operations::relations::Suspension, path::RelationPath,
};

/// Suspends a relation.
#[derive(Clone, Copy, Debug)]
pub struct SuspendAnyRelation;

impl Operation for SuspendAnyRelation {
    const ID: &'static str = "suspend_any_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/relations/{relation_id}/suspend";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Suspend a relation as operator";
    const DESCRIPTION: &'static str = "The owner of the agent cannot restore it.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;
    const BODY_OPTIONAL: bool = true;
    const EXAMPLE: &'static str = include_str!("../relations/suspend_relation.json");

    type Path = RelationPath;
    type Query = ();
    type Body = Suspension;
    type Reply = Relation;
}
