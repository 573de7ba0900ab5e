//! Keeps a mailbox in step with the relay.
//!
//! One task stores what arrives and acknowledges it, another seals and sends what waits in the outbox.

mod prekeys;
mod receiver;
mod sender;
mod works;

use std::{
    fmt, mem,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use assent_ids::{ClientMessageId, Principal};
use assent_protocol::a2h::RelayEvent;
use assent_relay_api::value::Secret;
use assent_relay_client::{Client, ClientError, EventStreamHandle, SocketRole};
use assent_sealing::Peer;
use assent_store::Database;
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};

use self::{receiver::Receiver, sender::Sender};
use crate::{Mailbox, MailboxError};

/// The future of an answer of a [`SyncDelegate`].
pub type DelegateFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ClientError>> + Send + 'a>>;

/// What synchronization asks of the device or agent that it works for.
pub trait SyncDelegate: Send + Sync + 'static {
    /// Returns a client with a current token.
    fn client(&self) -> Client;

    /// Gets another token, because the present one expires or was refused; `None` if there is no other.
    fn renew_token(&self) -> DelegateFuture<'_, Option<Secret>>;

    /// Returns peers that the mailbox has to know before it can open the event, each with the person or agent that it
    /// belongs to. It is asked about every event, before the event is stored.
    fn find_peers<'a>(
        &'a self,
        event: &'a RelayEvent,
    ) -> DelegateFuture<'a, Vec<(Principal, Peer)>>;

    /// Is called after the relay has stored a message and it has left the outbox.
    fn message_stored(&self, _client_message_id: &ClientMessageId) {}
}

/// Whether the mailbox is connected to the relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncStatus {
    /// It connects.
    Connecting,
    /// It is connected.
    Connected,
    /// It is not connected, for this reason, and connects again by itself.
    Disconnected(String),
    /// It does not connect again, for this reason.
    Ended(String),
}

/// A mailbox that is kept in step with the relay. Dropping it ends that.
pub struct MailboxSync {
    shared: Arc<Shared>,
    tasks: Mutex<JoinSet<()>>,
}

/// What both tasks use.
pub(crate) struct Shared {
    database: Database,
    mailbox: Mailbox,
    role: SocketRole,
    delegate: Arc<dyn SyncDelegate>,
    /// Notified when there may be something to send.
    outbox_changed: Notify,
    /// Notified when the inbox has an entry, or a message was refused.
    inbox_changed: Notify,
    /// The present connection.
    handle: watch::Sender<Option<EventStreamHandle>>,
    status: watch::Sender<SyncStatus>,
    /// Whether the relay has asked to wait before the next message.
    is_rate_limited: AtomicBool,
}

impl MailboxSync {
    /// Connects the mailbox, which has to be registered.
    #[must_use]
    pub fn start(
        database: Database,
        mailbox: Mailbox,
        role: SocketRole,
        delegate: Arc<dyn SyncDelegate>,
    ) -> Self {
        let shared = Arc::new(Shared {
            database,
            mailbox,
            role,
            delegate,
            outbox_changed: Notify::new(),
            inbox_changed: Notify::new(),
            handle: watch::Sender::new(None),
            status: watch::Sender::new(SyncStatus::Connecting),
            is_rate_limited: AtomicBool::new(false),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(Receiver::new(Arc::clone(&shared)).run());
        tasks.spawn(Sender::new(Arc::clone(&shared)).run());
        Self { shared, tasks: Mutex::new(tasks) }
    }

    /// Sends what was put into the outbox. To be called after a transaction that enqueued messages.
    pub fn outbox_changed(&self) {
        self.shared.outbox_changed.notify_one();
    }

    /// Waits until the inbox may have another entry, or a message was refused. There is one waiter.
    pub async fn inbox_changed(&self) {
        self.shared.inbox_changed.notified().await;
    }

    /// Whether the relay accepts no more messages at present.
    #[must_use]
    pub fn is_rate_limited(&self) -> bool {
        self.shared.is_rate_limited.load(Ordering::Relaxed)
    }

    /// Disconnects for good, and waits until nothing is received or sent any more.
    pub async fn stop(&self) {
        let mut tasks = mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
    }

    /// Whether the mailbox is connected, and every change of that.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<SyncStatus> {
        self.shared.status.subscribe()
    }
}

impl fmt::Debug for MailboxSync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailboxSync").field("status", &*self.shared.status.borrow()).finish()
    }
}

impl Shared {
    fn set_status(&self, status: SyncStatus) {
        self.status.send_if_modified(|present| {
            let is_new = *present != status;
            *present = status;
            is_new
        });
    }

    /// Records that the database refused. The caller waits before it tries again.
    fn store_failed(&self, error: &MailboxError) {
        tracing::error!(%error, "the mailbox cannot be stored");
        self.set_status(SyncStatus::Disconnected(error.to_string()));
    }
}
