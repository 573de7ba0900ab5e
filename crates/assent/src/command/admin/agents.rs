//! `assent admin agents …`

use std::fmt::Write as _;

use assent_ids::AgentId;
use assent_protocol::a2h::Page;
use assent_relay_api::{
    model::AgentState,
    operations::{
        admin::{AllAgentsQuery, ListAllAgents, OperatedAgent, RestoreAgent, SuspendAgent},
        relations::Suspension,
    },
    path::AgentPath,
};
use assent_relay_client::{Client, ClientError};

use super::Operator;
use crate::{
    cli::{Agents, State},
    exit::Exit,
    output::{self, visible},
};

pub(super) fn run(operator: &Operator, command: &Agents) -> Exit {
    match command {
        Agents::List { search, state, limit } => list(operator, search.as_deref(), *state, *limit),
        Agents::Suspend { agent, reason } => suspend(operator, agent, reason.as_deref()),
        Agents::Restore { agent } => restore(operator, agent),
    }
}

fn list(operator: &Operator, search: Option<&str>, state: Option<State>, limit: usize) -> Exit {
    let Ok(q) = search.map(str::parse).transpose() else {
        return output::misused("search for 1 to 200 characters in one line", operator.as_json);
    };
    let state = state.map(|state| match state {
        State::Active => AgentState::Active,
        State::Suspended => AgentState::Suspended,
    });
    let query = AllAgentsQuery { q, state, cursor: None, limit: None };
    operator.tell(all(&operator.client, query, limit), table)
}

/// Fetches pages until the end or the requested number.
async fn all(
    client: &Client,
    mut query: AllAgentsQuery,
    limit: usize,
) -> Result<Page<OperatedAgent>, ClientError> {
    let mut found = Page { data: Vec::new(), next_cursor: None };
    loop {
        let page = client.call::<ListAllAgents>(&(), &query, &()).await?;
        found.data.extend(page.data);
        found.next_cursor = page.next_cursor;
        query.cursor = found.next_cursor.as_ref().and_then(|cursor| cursor.parse().ok());
        if query.cursor.is_none() || found.data.len() >= limit {
            found.data.truncate(limit);
            return Ok(found);
        }
    }
}

fn table(page: &Page<OperatedAgent>) -> String {
    let mut text = String::new();
    for agent in &page.data {
        let (id, state) = (agent.agent_id, agent.state.as_str());
        let (name, owner) = (visible(&agent.name), visible(&agent.owner_name));
        let people = agent.relations.active;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{id}  {state:<9}  {people:>6} people  {name} ({owner})");
    }
    if page.data.is_empty() {
        text.push_str("no such agents\n");
    }
    if page.next_cursor.is_some() {
        text.push_str("… and more: look for words, or raise `--limit`\n");
    }
    text
}

fn suspend(operator: &Operator, agent: &str, reason: Option<&str>) -> Exit {
    let Some(path) = path(agent) else { return no_agent(operator) };
    let Ok(reason) = reason.map(str::parse).transpose() else {
        return output::misused("a reason has 1 to 500 characters in one line", operator.as_json);
    };
    let body = Suspension { reason };
    operator.tell(operator.client.call::<SuspendAgent>(&path, &(), &body), state)
}

fn restore(operator: &Operator, agent: &str) -> Exit {
    let Some(path) = path(agent) else { return no_agent(operator) };
    operator.tell(operator.client.call::<RestoreAgent>(&path, &(), &()), state)
}

fn path(agent: &str) -> Option<AgentPath> {
    agent.parse::<AgentId>().ok().map(|agent_id| AgentPath { agent_id })
}

fn no_agent(operator: &Operator) -> Exit {
    output::misused("this is not the id of an agent, `agt_…`", operator.as_json)
}

fn state(agent: &OperatedAgent) -> String {
    format!("{} `{}` is {}\n", agent.agent_id, visible(&agent.name), agent.state.as_str())
}
