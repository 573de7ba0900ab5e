//! `POST /h2a/relations/{relation_id}/restore`

use assent_protocol::a2h::ApiCode;
use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::Relation, path::RelationPath};

/// Restores a suspended relation with an agent of the caller.
#[derive(Clone, Copy, Debug)]
pub struct RestoreRelation;

impl Operation for RestoreRelation {
    const ID: &'static str = "restore_relation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/h2a/relations/{relation_id}/restore";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfRelationsAgent);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "Restore a relation";
    const DESCRIPTION: &'static str = "\
        What an operator suspended only an operator restores: `FORBIDDEN`. Restoring an active \
        relation changes nothing.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;

    type Path = RelationPath;
    type Query = ();
    type Body = ();
    type Reply = Relation;
}
