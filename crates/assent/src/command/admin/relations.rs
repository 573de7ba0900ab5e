//! `assent admin relations …`

use assent_ids::RelationId;
use assent_relay_api::{
    model::Relation,
    operations::{
        admin::{RestoreAnyRelation, SuspendAnyRelation},
        relations::Suspension,
    },
    path::RelationPath,
};

use super::Operator;
use crate::{
    cli::Relations,
    exit::Exit,
    output::{self, visible},
};

pub(super) fn run(operator: &Operator, command: &Relations) -> Exit {
    match command {
        Relations::Suspend { relation, reason } => suspend(operator, relation, reason.as_deref()),
        Relations::Restore { relation } => restore(operator, relation),
    }
}

fn suspend(operator: &Operator, relation: &str, reason: Option<&str>) -> Exit {
    let Some(path) = path(relation) else { return no_relation(operator) };
    let Ok(reason) = reason.map(str::parse).transpose() else {
        return output::misused("a reason has 1 to 500 characters in one line", operator.as_json);
    };
    let body = Suspension { reason };
    operator.tell(operator.client.call::<SuspendAnyRelation>(&path, &(), &body), state)
}

fn restore(operator: &Operator, relation: &str) -> Exit {
    let Some(path) = path(relation) else { return no_relation(operator) };
    operator.tell(operator.client.call::<RestoreAnyRelation>(&path, &(), &()), state)
}

fn path(relation: &str) -> Option<RelationPath> {
    relation.parse::<RelationId>().ok().map(|relation_id| RelationPath { relation_id })
}

fn no_relation(operator: &Operator) -> Exit {
    output::misused("this is not the id of a relation, `rel_…`", operator.as_json)
}

fn state(relation: &Relation) -> String {
    let (id, state) = (relation.relation_id, relation.state.as_str());
    let (person, agent) = (visible(&relation.user_name), visible(&relation.agent_name));
    format!("{id} between `{person}` and `{agent}` is {state}\n")
}
