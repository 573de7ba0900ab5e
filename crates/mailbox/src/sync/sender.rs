//! Seals and sends what waits in the outbox.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use assent_ids::Principal;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    operations::{
        conversations::NewMessage,
        keys::{ClaimPrekeys, PrekeyClaim},
    },
    socket::MessageSend,
};
use assent_relay_client::{EventStreamHandle, SendError};
use assent_sealing::Endpoint;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::time::Instant;

use super::{
    Shared,
    works::{Acknowledge, NextSealed, OwnerOf, Refuse, SealNext, StartSession},
};
use crate::{MailboxError, SealedMessage, Sealing, on_relay::read_bundle};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// For this long a peer is passed over after no session could be set up with it.
const UNREACHABLE_PERIOD: Duration = Duration::from_secs(10);

/// The task that sends.
pub(super) struct Sender {
    shared: Arc<Shared>,
    /// Peers with which no session could be set up, and when to try again.
    unreachable: BTreeMap<Endpoint, Instant>,
}

/// Why the outbox is not empty.
enum Interruption {
    /// The database refused.
    Mailbox(MailboxError),
    /// The relay cannot be reached, or asks to wait.
    Wait(Duration),
}

impl From<MailboxError> for Interruption {
    fn from(error: MailboxError) -> Self {
        Self::Mailbox(error)
    }
}

impl Sender {
    pub(super) const fn new(shared: Arc<Shared>) -> Self {
        Self { shared, unreachable: BTreeMap::new() }
    }

    pub(super) async fn run(mut self) {
        loop {
            match self.empty_outbox().await {
                Ok(()) => self.wait().await,
                Err(Interruption::Wait(delay)) => tokio::time::sleep(delay).await,
                Err(Interruption::Mailbox(error)) => {
                    self.shared.store_failed(&error);
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    /// Waits until there is something to send, or a peer may be reachable again.
    async fn wait(&self) {
        let changed = self.shared.outbox_changed.notified();
        match self.unreachable.values().min() {
            Some(retry_at) => drop(tokio::time::timeout_at(*retry_at, changed).await),
            None => changed.await,
        }
    }

    /// Sends everything that was sealed, then seals and sends the rest one by one.
    async fn empty_outbox(&mut self) -> Result<(), Interruption> {
        let now = Instant::now();
        self.unreachable.retain(|_, retry_at| *retry_at > now);
        self.send_sealed().await?;
        loop {
            let unreachable = self.unreachable.keys().copied().collect();
            let seal = SealNext(self.shared.mailbox.clone(), unreachable);
            match self.shared.database.write(seal).await? {
                Sealing::Sealed => self.send_sealed().await?,
                Sealing::Refused => self.shared.inbox_changed.notify_one(),
                Sealing::NeedsSession(endpoint) => {
                    if !self.start_session(endpoint).await? {
                        let retry_at = Instant::now() + UNREACHABLE_PERIOD;
                        self.unreachable.insert(endpoint, retry_at);
                    }
                }
                Sealing::Idle => return Ok(()),
            }
        }
    }

    /// Sets up a session. Returns `false` if that is not possible at present.
    async fn start_session(&self, endpoint: Endpoint) -> Result<bool, MailboxError> {
        let claim = self.claim_of(endpoint).await?;
        let client = self.shared.delegate.client();
        let bundle = match client.call::<ClaimPrekeys>(&(), &(), &claim).await {
            Ok(bundle) => read_bundle(bundle),
            Err(error) => {
                tracing::warn!(%endpoint, %error, "prekeys could not be claimed");
                return Ok(false);
            }
        };
        let Some(bundle) = bundle else {
            tracing::warn!(%endpoint, "the relay handed out prekeys that are none");
            return Ok(false);
        };
        let start = StartSession(self.shared.mailbox.clone(), endpoint, bundle);
        match self.shared.database.write(start).await {
            Ok(()) => Ok(true),
            Err(MailboxError::Bundle(error)) => {
                tracing::warn!(%endpoint, %error, "no session can be set up");
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    async fn claim_of(&self, endpoint: Endpoint) -> Result<PrekeyClaim, MailboxError> {
        let device_id = match endpoint {
            Endpoint::Agent(agent_id) => return Ok(PrekeyClaim::Agent { agent_id }),
            Endpoint::Device(device_id) => device_id,
        };
        let owner = OwnerOf(self.shared.mailbox.clone(), endpoint);
        match self.shared.database.read(owner).await? {
            Some(Principal::User(user_id)) => {
                Ok(PrekeyClaim::Device { user_id, device_id: Some(device_id) })
            }
            _ => Err(MailboxError::UnknownPeer),
        }
    }

    async fn send_sealed(&self) -> Result<(), Interruption> {
        let handle = self.handle().await;
        let mut after = 0;
        loop {
            let next = NextSealed(self.shared.mailbox.clone(), after);
            let Some(message) = self.shared.database.read(next).await? else { return Ok(()) };
            after = message.position;
            self.send(&handle, message).await?;
        }
    }

    /// The present connection, as soon as there is one.
    async fn handle(&self) -> EventStreamHandle {
        let mut handles = self.shared.handle.subscribe();
        loop {
            if let Some(handle) = handles.borrow_and_update().clone() {
                return handle;
            }
            // The sender of the channel is in `shared`, so that waiting does not fail.
            let _ = handles.changed().await;
        }
    }

    async fn send(
        &self,
        handle: &EventStreamHandle,
        message: SealedMessage,
    ) -> Result<(), Interruption> {
        let mailbox = self.shared.mailbox.clone();
        match handle.send(to_frame(&message)?).await {
            Ok(_) => {
                self.shared.is_rate_limited.store(false, Ordering::Relaxed);
                let client_message_id = message.client_message_id.clone();
                self.shared.database.write(Acknowledge(mailbox, message)).await?;
                self.shared.delegate.message_stored(&client_message_id);
                Ok(())
            }
            Err(SendError::Refused(refusal)) => {
                let code = refusal.code.as_ref().and_then(assent_protocol::wire::Open::known);
                let is_rate_limited = code == Some(ApiCode::RateLimited);
                self.shared.is_rate_limited.store(is_rate_limited, Ordering::Relaxed);
                if let Some(delay) = transient_delay(code, refusal.retry_after) {
                    return Err(Interruption::Wait(delay));
                }
                let code = code.map_or("refused", |code| code.as_str()).to_owned();
                self.shared.database.write(Refuse(mailbox, message, code)).await?;
                self.shared.inbox_changed.notify_one();
                Ok(())
            }
            Err(error) => {
                tracing::debug!(%error, "a message could not be sent");
                Err(Interruption::Wait(RETRY_DELAY))
            }
        }
    }
}

/// How long to wait if sending the same message again may help.
fn transient_delay(code: Option<ApiCode>, retry_after: Option<Duration>) -> Option<Duration> {
    match code {
        Some(ApiCode::RateLimited) => Some(retry_after.unwrap_or(RETRY_DELAY)),
        Some(code) if code.http_status() < 500 => None,
        _ => Some(retry_after.unwrap_or(RETRY_DELAY)),
    }
}

fn to_frame(message: &SealedMessage) -> Result<MessageSend, MailboxError> {
    let envelope = STANDARD.encode(&message.envelope).try_into();
    Ok(MessageSend {
        conversation_id: message.conversation,
        message: NewMessage {
            client_message_id: message.client_message_id.clone(),
            msg_subtype: message.subtype,
            content_type: message.content_type,
            envelope: envelope.map_err(|_| MailboxError::Damaged("envelope"))?,
        },
    })
}
