//! `POST /admin/relations/{relation_id}/restore`

use assent_protocol::a2h::ApiCode;
use http::Method;

use crate::{Access, Operation, Tag, model::Relation, path::RelationPath};

/// Restores a suspended relation, also if the person or the owner suspended it.
#[derive(Clone, Copy, Debug)]
pub struct RestoreAnyRelation;

impl Operation for RestoreAnyRelation {
    const ID: &'static str = "restore_any_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/relations/{relation_id}/restore";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Restore a relation as operator";
    const ERRORS: &'static [ApiCode] = &[ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;

    type Path = RelationPath;
    type Query = ();
    type Body = ();
    type Reply = Relation;
}
