//! `GET /agents/{agent_id}/webhooks/deliveries`

use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag,
    model::{Delivery, DeliveryState},
    path::AgentPath,
    value::{Cursor, Limit},
};

/// Lists the deliveries to an agent, newest first.
#[derive(Clone, Copy, Debug)]
pub struct ListDeliveries;

impl Operation for ListDeliveries {
    const ID: &'static str = "list_deliveries";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/webhooks/deliveries";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Webhooks;
    const SUMMARY: &'static str = "List deliveries";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = DeliveriesQuery;
    type Body = ();
    type Reply = Page<Delivery>;
}

/// Which deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeliveriesQuery {
    /// Only those in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<DeliveryState>,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
