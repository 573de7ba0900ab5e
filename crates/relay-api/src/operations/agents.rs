//! Agents, their tokens and their keys.

mod create_agent;
mod create_token;
mod delete_agent;
mod get_agent;
mod get_telemetry;
mod list_tokens;
mod register_agent_keys;
mod revoke_token;
mod search_agents;
mod update_agent;

pub use create_agent::{CreateAgent, CreatedAgent, NewAgent};
pub use create_token::{CreateToken, CreatedToken, NewToken};
pub use delete_agent::DeleteAgent;
pub use get_agent::GetAgent;
pub use get_telemetry::GetTelemetry;
pub use list_tokens::ListTokens;
pub use register_agent_keys::{NewAgentKeys, RegisterAgentKeys, RegisteredKeys};
pub use revoke_token::{RevokeToken, TokenPath};
pub use search_agents::{AgentSearch, SearchAgents};
pub use update_agent::{AgentChanges, UpdateAgent, UpdatedAgent};
