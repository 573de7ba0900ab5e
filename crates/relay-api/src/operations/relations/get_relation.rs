//! `GET /h2a/relations/{relation_id}`

use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::Relation, path::RelationPath};

/// Gets a relation.
#[derive(Clone, Copy, Debug)]
pub struct GetRelation;

impl Operation for GetRelation {
    const ID: &'static str = "get_relation";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/h2a/relations/{relation_id}";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::PartyOfRelation);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Get a relation";
    const IDEMPOTENT: bool = true;

    type Path = RelationPath;
    type Query = ();
    type Body = ();
    type Reply = Relation;
}
