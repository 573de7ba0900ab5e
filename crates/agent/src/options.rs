//! How an agent connects, and where it keeps its state.

use std::path::PathBuf;

use assent_ids::AgentId;
use assent_relay_api::value::Secret;

/// Where an agent keeps its keys, sessions and open calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentState {
    /// In a directory that one process uses at a time.
    Directory(PathBuf),
    /// In a temporary directory, which is removed when the agent is closed. People see other keys the next time.
    Temporary,
}

/// How an agent connects.
#[derive(Clone, Debug)]
pub struct AgentOptions {
    /// The address of the relay.
    pub relay: String,
    /// The id of the agent.
    pub agent_id: AgentId,
    /// The token of the agent.
    pub token: Secret,
    /// A token of the agent with the scope `manifest:write`, for [`Agent::publish`](crate::Agent::publish).
    pub manifest_token: Option<Secret>,
    /// Where the agent keeps its state.
    pub state: AgentState,
}

impl AgentOptions {
    /// Connects to `relay` with the agent's token, and keeps no state.
    #[must_use]
    pub fn new(relay: impl Into<String>, agent_id: AgentId, token: impl Into<String>) -> Self {
        let token = Secret::from(token.into());
        let state = AgentState::Temporary;
        Self { relay: relay.into(), agent_id, token, manifest_token: None, state }
    }

    /// Publishes manifests with this token.
    #[must_use]
    pub fn manifest_token(mut self, token: impl Into<String>) -> Self {
        self.manifest_token = Some(Secret::from(token.into()));
        self
    }

    /// Keeps the state in a directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.state = AgentState::Directory(directory.into());
        self
    }
}
