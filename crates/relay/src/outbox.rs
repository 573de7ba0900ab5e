//! What a transaction has to tell once it is durable.

use std::sync::Arc;

use assent_ids::{AgentId, DeviceId, EventSeq, TokenFamilyId, TokenId};

use crate::party::Party;

/// Filled by a unit of work, emptied when its transaction is durable.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) events: Vec<Sent>,
    /// Whether a webhook has to be called.
    pub(crate) deliveries: bool,
    /// Whether somebody has to be asked again.
    pub(crate) broadcasts: bool,
    /// Tokens that mean nothing any more: the sockets that were opened with them are closed.
    pub(crate) revoked: Vec<(AgentId, TokenId)>,
    /// Logins that ended, and whose they were: their sockets are closed.
    pub(crate) ended: Vec<(Party, TokenFamilyId)>,
    /// Devices that were removed, and whose they were: their sockets are closed.
    pub(crate) removed: Vec<(Party, DeviceId)>,
    /// Parties whose sockets are closed, because they were deleted or suspended.
    pub(crate) expelled: Vec<Party>,
}

/// An event that was stored.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) party: Party,
    pub(crate) event_id: EventSeq,
    pub(crate) kind: &'static str,
    pub(crate) data: Arc<str>,
}
