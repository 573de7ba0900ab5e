//! Agents, their tokens and their keys.

mod create_agent;
mod create_token;
mod delete_agent;
mod get_agent;
mod get_telemetry;
mod if_match;
mod list_tokens;
mod register_agent_keys;
mod revoke_token;
mod search_agents;
mod search_cursor;
mod update_agent;

use crate::http::Routes;

/// Adds the operations on agents.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::agents::{
        CreateAgent, CreateToken, DeleteAgent, GetAgent, GetTelemetry, ListTokens,
        RegisterAgentKeys, RevokeToken, SearchAgents, UpdateAgent,
    };
    routes
        .serve::<CreateAgent>()
        .serve::<SearchAgents>()
        .serve::<GetAgent>()
        .serve::<UpdateAgent>()
        .serve::<DeleteAgent>()
        .serve::<GetTelemetry>()
        .serve::<CreateToken>()
        .serve::<ListTokens>()
        .serve::<RevokeToken>()
        .serve::<RegisterAgentKeys>()
}
