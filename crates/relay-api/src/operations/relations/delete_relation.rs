//! `DELETE /h2a/relations/{relation_id}`

use assent_protocol::a2h::ApiCode;
use http::Method;

use super::Revocation;
use crate::{Access, Credential, Needs, Operation, Tag, model::Relation, path::RelationPath};

/// Ends a relation, like `revoke`.
#[derive(Clone, Copy, Debug)]
pub struct DeleteRelation;

impl Operation for DeleteRelation {
    const ID: &'static str = "delete_relation";
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/h2a/relations/{relation_id}";
    const ACCESS: Access = Access::new(Credential::User, Needs::PersonOfRelation);
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "End a relation (as DELETE)";
    const DESCRIPTION: &'static str = "\
        The same as `POST …/revoke`. The ledger entry has the action `revoke`. Nothing is \
        delivered between the two from now on; calls that wait for an answer are denied. The \
        same entry again gives the same answer.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::InvalidLedgerEntry, ApiCode::LedgerConflict];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("revoke_relation.json");

    type Path = RelationPath;
    type Query = ();
    type Body = Revocation;
    type Reply = Relation;
}
