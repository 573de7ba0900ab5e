//! `GET /ws/agent`

use assent_ids::AgentId;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Upgrade;
use crate::{Access, Credential, Needs, Operation, Tag};

/// Opens the socket of an agent.
#[derive(Clone, Copy, Debug)]
pub struct ConnectAgent;

impl Operation for ConnectAgent {
    const ID: &'static str = "connect_agent";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/ws/agent";
    const ACCESS: Access = Access::new(Credential::FirstFrame, Needs::Nothing);
    const TAG: Tag = Tag::Events;
    const SUMMARY: &'static str = "Open an agent's socket";
    const DESCRIPTION: &'static str = "\
        The first frame has to be `auth`, within five seconds; see the schemas `ClientFrame` and \
        `ServerFrame`. Events come, and messages of up to 64 KiB can be sent, with `message.send`.";
    const SUCCESS: u16 = 101;
    const IDEMPOTENT: bool = false;

    type Path = ();
    type Query = AgentSocketQuery;
    type Body = ();
    type Reply = Upgrade;
}

/// Whose socket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentSocketQuery {
    /// The agent. May be left out if the first frame names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
}
