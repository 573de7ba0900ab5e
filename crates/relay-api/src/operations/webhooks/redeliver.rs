//! `POST /agents/{agent_id}/webhooks/deliveries/{delivery_id}/redeliver`

use assent_ids::{AgentId, DeliveryId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, model::Delivery};

/// Delivers an event again.
#[derive(Clone, Copy, Debug)]
pub struct Redeliver;

impl Operation for Redeliver {
    const ID: &'static str = "redeliver";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/agents/{agent_id}/webhooks/deliveries/{delivery_id}/redeliver";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Webhooks;
    const SUMMARY: &'static str = "Deliver again";
    const DESCRIPTION: &'static str = "\
        Sends the event again under the same `webhook-id`, so that an agent that has handled it recognizes \
        it. A delivery that waits for its next attempt is sent now instead of then. If an attempt is in \
        progress, its success completes the delivery, and after its failure the next attempt follows at \
        once. The schedule of retries starts over.";
    const ERRORS: &'static [ApiCode] = &[];
    const IDEMPOTENT: bool = false;

    type Path = DeliveryPath;
    type Query = ();
    type Body = ();
    type Reply = Delivery;
}

/// `{agent_id}` and `{delivery_id}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeliveryPath {
    /// The agent.
    pub agent_id: AgentId,
    /// The delivery.
    pub delivery_id: DeliveryId,
}
