//! What a transaction publishes once it is durable.

use std::sync::Arc;

use assent_ids::{AgentId, DeviceId, EventSeq, Principal, TokenFamilyId, TokenId};

use crate::delivery::hub::Closing;

/// Filled by a unit of work, emptied when its transaction is durable.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) events: Vec<Sent>,
    /// Whether a webhook has to be called.
    pub(crate) deliveries: bool,
    /// Whether people have to be asked again.
    pub(crate) broadcasts: bool,
    /// Tokens that mean nothing any more: the sockets that were opened with them are closed.
    pub(crate) revoked: Vec<(AgentId, TokenId)>,
    /// Logins that ended, and whose they were: their sockets are closed.
    pub(crate) ended: Vec<(Principal, TokenFamilyId)>,
    /// Devices that were removed, and whose they were: their sockets are closed.
    pub(crate) removed: Vec<(Principal, DeviceId)>,
    /// Parties whose sockets are closed, because they were deleted.
    pub(crate) expelled: Vec<Principal>,
    /// Parties whose sockets are closed, because an operator has suspended them.
    pub(crate) suspended: Vec<Principal>,
}

impl Outbox {
    /// Whose connections are to be closed, and why.
    pub(crate) fn closings(&self) -> Vec<(Principal, Closing)> {
        let ended = self.ended.iter().map(|(party, login)| (*party, Closing::LoginEnded(*login)));
        let removed =
            self.removed.iter().map(|(party, device)| (*party, Closing::DeviceRemoved(*device)));
        let revoked = self
            .revoked
            .iter()
            .map(|(agent, token)| (Principal::Agent(*agent), Closing::TokenRevoked(*token)));
        let expelled = self.expelled.iter().map(|party| (*party, Closing::Expelled));
        let suspended = self.suspended.iter().map(|party| (*party, Closing::Suspended));
        ended.chain(removed).chain(revoked).chain(expelled).chain(suspended).collect()
    }
}

/// An event that was stored.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) party: Principal,
    pub(crate) event_id: EventSeq,
    pub(crate) kind: &'static str,
    pub(crate) data: Arc<str>,
}
