//! `POST /keys/claim`

use assent_ids::{AgentId, DeviceId, UserId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Access, Operation, Tag, model::PrekeyBundle, value::BrokenRule};

/// Takes what is needed to seal a first message.
#[derive(Clone, Copy, Debug)]
pub struct ClaimPrekeys;

impl Operation for ClaimPrekeys {
    const ID: &'static str = "claim_prekeys";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/keys/claim";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Claim prekeys";
    const DESCRIPTION: &'static str = "\
        Every one-time prekey is handed out once. If none is left, the answer has only the \
        signed ones. `NOT_FOUND` also if a signed prekey or a KEM prekey was never published.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::NotFound];
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("claim_prekeys.json");

    type Path = ();
    type Query = ();
    type Body = PrekeyClaim;
    type Reply = PrekeyBundle;
}

/// Whose prekeys: those of a person's device, or of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Fields", into = "Fields")]
pub enum PrekeyClaim {
    /// A device of a person.
    Device {
        /// The person.
        user_id: UserId,
        /// The device; the one that was registered last, if nothing is said.
        device_id: Option<DeviceId>,
    },
    /// An agent.
    Agent {
        /// The agent.
        agent_id: AgentId,
    },
}

/// The claim as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PrekeyClaim", extend("oneOf" = either()))]
struct Fields {
    /// The person. Either this or `agent_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    /// The agent. Either this or `user_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_id: Option<AgentId>,
    /// The device of the person; the one that was registered last, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device_id: Option<DeviceId>,
}

/// Either a person, perhaps with a device, or an agent; `null` is the same as nothing.
fn either() -> Value {
    let (text, nothing) = (json!({ "type": "string" }), json!({ "type": "null" }));
    json!([
        { "properties": { "user_id": text, "agent_id": nothing }, "required": ["user_id"] },
        {
            "properties": { "agent_id": text, "user_id": nothing, "device_id": nothing },
            "required": ["agent_id"],
        },
    ])
}

impl TryFrom<Fields> for PrekeyClaim {
    type Error = BrokenRule;

    fn try_from(fields: Fields) -> Result<Self, BrokenRule> {
        match (fields.user_id, fields.agent_id, fields.device_id) {
            (Some(user_id), None, device_id) => Ok(Self::Device { user_id, device_id }),
            (None, Some(agent_id), None) => Ok(Self::Agent { agent_id }),
            (None, Some(_), Some(_)) => {
                Err(BrokenRule::new("an agent has no devices").at("/device_id"))
            }
            _ => Err(BrokenRule::new("give either `user_id` or `agent_id`")),
        }
    }
}

impl From<PrekeyClaim> for Fields {
    fn from(claim: PrekeyClaim) -> Self {
        match claim {
            PrekeyClaim::Device { user_id, device_id } => {
                Self { user_id: Some(user_id), agent_id: None, device_id }
            }
            PrekeyClaim::Agent { agent_id } => {
                Self { user_id: None, agent_id: Some(agent_id), device_id: None }
            }
        }
    }
}
