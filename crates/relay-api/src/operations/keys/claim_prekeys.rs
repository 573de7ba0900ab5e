//! `POST /keys/claim`

use assent_ids::{AgentId, DeviceId, UserId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    const DESCRIPTION: &'static str = "Every one-time prekey is handed out once. If none is left, the answer has only the signed one.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::NotFound];
    const IDEMPOTENT: bool = false;

    type Path = ();
    type Query = ();
    type Body = PrekeyClaim;
    type Reply = PrekeyBundle;
}

/// Whose prekeys: either a person's device or an agent's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Unchecked")]
pub struct PrekeyClaim {
    /// The person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// The agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// The device of the person; without it, the one that was registered last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PrekeyClaim")]
struct Unchecked {
    /// The person. Either this or `agent_id`.
    user_id: Option<UserId>,
    /// The agent. Either this or `user_id`.
    agent_id: Option<AgentId>,
    /// The device of the person; without it, the one that was registered last.
    device_id: Option<DeviceId>,
}

impl TryFrom<Unchecked> for PrekeyClaim {
    type Error = BrokenRule;

    fn try_from(claim: Unchecked) -> Result<Self, BrokenRule> {
        let Unchecked { user_id, agent_id, device_id } = claim;
        match (user_id, agent_id, device_id) {
            (Some(_), None, _) | (None, Some(_), None) => Ok(Self { user_id, agent_id, device_id }),
            (None, Some(_), Some(_)) => {
                Err(BrokenRule::new("an agent has no devices").at("/device_id"))
            }
            _ => Err(BrokenRule::new("give either `user_id` or `agent_id`")),
        }
    }
}
