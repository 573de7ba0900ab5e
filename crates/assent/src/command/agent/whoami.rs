//! `assent agent whoami`

use assent_agent::{AgentDirectory, RelationSummary};
use serde_json::{Value, json};

use super::Failure;
use crate::{
    exit::Exit,
    output::{self, QUIET, STRONG, visible},
};

pub(super) async fn run(directory: &AgentDirectory, as_json: bool) -> Result<Exit, Failure> {
    let stored = directory.load()?;
    let agent = super::connect(directory).await?;
    let link = agent.link().await?.to_string();
    let relations = agent.relations().await?;
    agent.close().await;
    if as_json {
        let relations: Vec<Value> = relations.iter().map(relation_json).collect();
        let report = json!({
            "agent_id": stored.agent_id, "name": stored.name, "relay": stored.relay, "link": link,
            "relations": relations,
        });
        return Ok(output::json(Exit::AsAsked, &report));
    }
    Ok(output::report(Exit::AsAsked, |out| {
        writeln!(out, "{STRONG}{}{STRONG:#} is {}", visible(&stored.name), stored.agent_id)?;
        writeln!(out, "  {QUIET}relay{QUIET:#}  {}", visible(&stored.relay))?;
        writeln!(out, "  {QUIET}link{QUIET:#}   {link}")?;
        if relations.is_empty() {
            writeln!(out, "No one has added it yet. People add it with its link.")?;
        }
        for relation in &relations {
            let state = if relation.is_active { "active" } else { "not active" };
            let (conversation, person) = (relation.conversation_id, relation.user_id);
            writeln!(out, "  {conversation}  {QUIET}with{QUIET:#} {person}, {state}")?;
        }
        Ok(())
    }))
}

fn relation_json(relation: &RelationSummary) -> Value {
    json!({
        "relation_id": relation.relation_id,
        "conversation_id": relation.conversation_id,
        "user_id": relation.user_id,
        "active": relation.is_active,
    })
}
