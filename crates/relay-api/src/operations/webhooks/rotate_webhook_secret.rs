//! `POST /agents/{agent_id}/webhook-secret/rotate`

use assent_protocol::{a2h::ApiCode, wire::Timestamp};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Reply, Tag, path::AgentPath, value::Secret};

/// Makes another secret for the deliveries of an agent.
#[derive(Clone, Copy, Debug)]
pub struct RotateWebhookSecret;

impl Operation for RotateWebhookSecret {
    const ID: &'static str = "rotate_webhook_secret";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/agents/{agent_id}/webhook-secret/rotate";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Webhooks;
    const SUMMARY: &'static str = "Rotate the secret of a webhook";
    const DESCRIPTION: &'static str = "\
        For 24 hours deliveries carry signatures with both secrets, so that nothing is lost \
        while the agent changes over. `CONFLICT` if the agent is not one that is called.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::Conflict];
    const IDEMPOTENT: bool = false;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = RotatedSecret;
}

/// A secret that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RotatedSecret {
    /// The new secret: `whsec_` and base64. It is shown here and never again.
    pub webhook_secret: Secret,
    /// Until when deliveries carry a signature with the secret before as well.
    pub previous_valid_until: Timestamp,
}

impl Reply for RotatedSecret {}
