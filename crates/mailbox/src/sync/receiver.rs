//! Stores what arrives, then acknowledges it.

use std::{sync::Arc, time::Duration};

use assent_ids::{EventSeq, Principal};
use assent_protocol::a2h::RelayEvent;
use assent_relay_client::{ClientError, ConnectOptions, EventStream, StreamError, StreamEvent};
use assent_sealing::{Endpoint, Peer};
use futures_util::StreamExt as _;

use super::{
    Shared, SyncStatus, prekeys,
    works::{LoadOwnState, Receive, SkipTo},
};
use crate::{MailboxError, OwnState};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// How often the peers of one event are asked for. Then the event is stored without them.
const FIND_PEERS_LIMIT: u32 = 5;

/// How often prekeys are looked after.
const PREKEY_INTERVAL: Duration = Duration::from_hours(1);

/// The task that receives.
pub(super) struct Receiver {
    shared: Arc<Shared>,
}

impl Receiver {
    pub(super) const fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Receives until connecting again would not help.
    pub(super) async fn run(self) {
        loop {
            match self.receive().await {
                Ok(()) => return,
                Err(error) => self.shared.store_failed(&error),
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn receive(&self) -> Result<(), MailboxError> {
        let own = self.own_state().await?;
        let mut events = self.connect(&own)?;
        let mut prekey_timer = tokio::time::interval(PREKEY_INTERVAL);
        prekey_timer.reset();
        loop {
            tokio::select! {
                event = events.next() => match event {
                    Some(Ok(event)) => self.handle(event).await?,
                    Some(Err(error)) if self.renew(&error).await => {}
                    Some(Err(_)) => return Ok(()),
                    None => return Ok(()),
                },
                _ = prekey_timer.tick() => prekeys::publish(&self.shared).await?,
            }
        }
    }

    async fn own_state(&self) -> Result<OwnState, MailboxError> {
        self.shared.database.write(LoadOwnState(self.shared.mailbox.clone())).await
    }

    fn connect(&self, own: &OwnState) -> Result<EventStream, MailboxError> {
        let device_id = match own.endpoint.ok_or(MailboxError::NotRegistered)? {
            Endpoint::Device(device_id) => Some(device_id),
            Endpoint::Agent(_) => None,
        };
        let has_received = own.last_event_id > EventSeq::default();
        let options = ConnectOptions {
            resume_after: has_received.then_some(own.last_event_id),
            device_id,
            ..ConnectOptions::new(self.shared.role)
        };
        let events = self.shared.delegate.client().event_stream(options);
        self.shared.handle.send_replace(Some(events.handle()));
        Ok(events)
    }

    async fn handle(&self, event: StreamEvent) -> Result<(), MailboxError> {
        match event {
            StreamEvent::Connected(_) => {
                self.shared.set_status(SyncStatus::Connected);
                self.shared.outbox_changed.notify_one();
                prekeys::publish(&self.shared).await?;
            }
            StreamEvent::Event(event) => self.store(*event).await?,
            StreamEvent::Skipped { last, .. } => {
                let skip = SkipTo(self.shared.mailbox.clone(), last);
                self.shared.database.write(skip).await?;
            }
            StreamEvent::Disconnected { error, .. } => {
                self.shared.set_status(SyncStatus::Disconnected(error.to_string()));
            }
            StreamEvent::TokenExpiring(_) => self.renew_now().await,
            _ => {}
        }
        Ok(())
    }

    /// Stores an event and acknowledges it.
    async fn store(&self, event: RelayEvent) -> Result<(), MailboxError> {
        let event_id = event.event_id;
        let new_peers = self.find_peers(&event).await;
        let receive = Receive { mailbox: self.shared.mailbox.clone(), event, new_peers };
        self.shared.database.write(receive).await?;
        if let Some(handle) = &*self.shared.handle.borrow() {
            handle.acknowledge(event_id);
        }
        self.shared.inbox_changed.notify_one();
        // An envelope that could not be opened may have put a reset into the outbox.
        self.shared.outbox_changed.notify_one();
        Ok(())
    }

    async fn find_peers(&self, event: &RelayEvent) -> Vec<(Principal, Peer)> {
        for _ in 0..FIND_PEERS_LIMIT {
            match self.shared.delegate.find_peers(event).await {
                Ok(peers) => return peers,
                Err(error) if error.code().is_some() => {
                    tracing::warn!(%error, "the relay does not give the keys of a sender");
                    return Vec::new();
                }
                Err(error) => tracing::warn!(%error, "the keys of a sender cannot be fetched"),
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
        Vec::new()
    }

    /// Gets another token, because the present one expires.
    async fn renew_now(&self) {
        if let Err(error) = self.renew_token().await {
            tracing::warn!(%error, "the access token cannot be renewed");
        }
    }

    /// Gets another token after the relay refused the present one. Returns `false` if there is none.
    async fn renew(&self, error: &StreamError) -> bool {
        tokio::time::sleep(RETRY_DELAY).await;
        if matches!(self.renew_token().await, Ok(true)) {
            self.shared.set_status(SyncStatus::Disconnected(error.to_string()));
            return true;
        }
        tracing::warn!(%error, "the relay does not accept this client any more");
        self.shared.set_status(SyncStatus::Ended(error.to_string()));
        false
    }

    async fn renew_token(&self) -> Result<bool, ClientError> {
        let Some(token) = self.shared.delegate.renew_token().await? else { return Ok(false) };
        if let Some(handle) = &*self.shared.handle.borrow() {
            handle.renew(token);
        }
        Ok(true)
    }
}
