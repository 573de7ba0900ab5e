//! Seals and sends what waits in the outbox.

use std::{sync::Arc, time::Duration};

use assent_ids::Principal;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    operations::{
        keys::{ClaimPrekeys, PrekeyClaim},
        messages::NewMessage,
    },
    socket::MessageSend,
};
use assent_relay_client::{ClientError, EventStreamHandle, SendError};
use assent_sealing::Endpoint;
use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    Shared,
    works::{Acknowledge, NextSealed, OwnerOf, Refuse, SealNext, StartSession},
};
use crate::{MailboxError, SealedMessage, Sealing, on_relay::read_bundle};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The task that sends.
pub(super) struct Sender {
    shared: Arc<Shared>,
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
        Self { shared }
    }

    pub(super) async fn run(self) {
        loop {
            match self.empty_outbox().await {
                Ok(()) => self.shared.outbox_changed.notified().await,
                Err(Interruption::Wait(delay)) => tokio::time::sleep(delay).await,
                Err(Interruption::Mailbox(error)) => {
                    self.shared.store_failed(&error);
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    /// Sends everything that was sealed, then seals and sends the rest one by one.
    async fn empty_outbox(&self) -> Result<(), Interruption> {
        self.send_sealed().await?;
        loop {
            let seal = SealNext(self.shared.mailbox.clone());
            match self.shared.database.write(seal).await? {
                Sealing::Sealed => self.send_sealed().await?,
                Sealing::NeedsSession(endpoint) => self.start_session(endpoint).await?,
                Sealing::Idle => return Ok(()),
            }
        }
    }

    async fn start_session(&self, endpoint: Endpoint) -> Result<(), Interruption> {
        let claim = self.claim_of(endpoint).await?;
        let client = self.shared.delegate.client();
        let bundle = match client.call::<ClaimPrekeys>(&(), &(), &claim).await {
            Ok(bundle) => bundle,
            Err(error) => return Err(wait_after(&error)),
        };
        let Some(bundle) = read_bundle(bundle) else {
            tracing::warn!(%endpoint, "the relay handed out prekeys that are none");
            return Err(Interruption::Wait(RETRY_DELAY));
        };
        let start = StartSession(self.shared.mailbox.clone(), endpoint, bundle);
        match self.shared.database.write(start).await {
            Err(MailboxError::Bundle(error)) => {
                tracing::warn!(%endpoint, %error, "no session can be set up");
                Err(Interruption::Wait(RETRY_DELAY))
            }
            outcome => Ok(outcome?),
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
            Ok(_) => Ok(self.shared.database.write(Acknowledge(mailbox, message)).await?),
            Err(SendError::Refused(refusal)) => {
                let code = refusal.code.as_ref().and_then(assent_protocol::wire::Open::known);
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

fn wait_after(error: &ClientError) -> Interruption {
    tracing::debug!(%error, "prekeys could not be claimed");
    let retry_after = match error {
        ClientError::Refused(refusal) => refusal.retry_after,
        _ => None,
    };
    Interruption::Wait(retry_after.unwrap_or(RETRY_DELAY))
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
