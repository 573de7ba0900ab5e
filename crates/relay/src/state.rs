//! What every operation works with.

use std::{sync::Arc, time::Duration};

use assent_ids::{Clock, Entropy, Minter, SteadyClock, UnixMillis};
use assent_protocol::a2h::ApiCode;
use assent_store::{Database, Work};
use tokio::sync::{Notify, oneshot};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    accounts::{
        access_tokens::AccessTokens, alive_logins::AliveLogins, passwords::Passwords, signing_keys,
    },
    agents::catalog::Catalog,
    conversations::message_store::MessageStore,
    delivery::{bus::Bus, hub::Hub, outbox::Outbox},
    http::Refusal,
    manifests::PublicationLocks,
    observability::{
        metrics::{Metrics, WebhookFigures},
        readiness,
    },
    settings::Settings,
    storage::ttl_cell::TtlCell,
    webhooks::Webhooks,
};

/// How long counts of whole tables are cached, since every client may ask for them.
const COUNTS_VALID_FOR: Duration = Duration::from_secs(10);

/// A running relay.
pub(crate) struct Relay {
    pub(crate) settings: Settings,
    pub(crate) store: Database,
    /// Where messages are stored.
    pub(crate) messages: MessageStore,
    pub(crate) clock: Arc<SteadyClock<Arc<dyn Clock>>>,
    pub(crate) minter: Minter,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) bus: Bus,
    pub(crate) access_tokens: AccessTokens,
    pub(crate) alive_logins: AliveLogins,
    pub(crate) passwords: Passwords,
    pub(crate) webhooks: Webhooks,
    pub(crate) metrics: Metrics,
    /// Whether the storage takes what is written.
    pub(crate) ready: TtlCell<Result<(), Refusal>>,
    /// How webhooks stand; counting them is work.
    pub(crate) webhook_figures: TtlCell<Option<WebhookFigures>>,
    /// Looking for signing keys that another node has made.
    pub(crate) key_lookup: TtlCell<()>,
    /// Agents, to be searched.
    pub(crate) catalog: Catalog,
    /// Held while a manifest is compared and published.
    pub(crate) publication_locks: PublicationLocks,
    /// Rung when a webhook has to be called.
    pub(crate) deliveries: Notify,
    /// Rung when people have to be asked again.
    pub(crate) broadcasts: Notify,
    /// Everything that runs in the background; awaited at the end.
    pub(crate) tasks: TaskTracker,
    /// Set when the relay is to stop.
    pub(crate) stopping: CancellationToken,
}

impl Relay {
    pub(crate) fn new(
        settings: Settings,
        (store, messages): (Database, MessageStore),
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let clock = Arc::new(SteadyClock::new(clock));
        let minter = Minter::new(Arc::<SteadyClock<_>>::clone(&clock), Arc::clone(&entropy));
        Self {
            clock,
            webhooks: Webhooks::new(&settings),
            settings,
            alive_logins: AliveLogins::new(store.dialect()),
            store,
            messages,
            metrics: Metrics::new(minter.now()),
            ready: TtlCell::new(readiness::VALID_FOR),
            webhook_figures: TtlCell::new(COUNTS_VALID_FOR),
            key_lookup: TtlCell::new(signing_keys::LOOK_AT_MOST_EVERY),
            minter,
            passwords: Passwords::new(Arc::clone(&entropy)),
            entropy,
            hub: Arc::default(),
            bus: Bus::default(),
            access_tokens: AccessTokens::default(),
            catalog: Catalog::default(),
            publication_locks: PublicationLocks::default(),
            deliveries: Notify::new(),
            broadcasts: Notify::new(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        }
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.minter.now()
    }

    /// Runs `work`. Once it is durable, its outcome is returned and its outbox is published, even if the caller
    /// has gone in the meantime.
    pub(crate) async fn commit<W, T>(self: &Arc<Self>, work: W) -> Result<T, Refusal>
    where
        W: Work<Output = (T, Outbox), Error = Refusal>,
        T: Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let relay = Arc::clone(self);
        // A shutdown waits until the outbox is published.
        let unfinished = self.tasks.token();
        self.store.write_then(work, move |done| {
            if done.as_ref().is_err_and(|why| why.code() == ApiCode::StorageUnavailable) {
                // What failed may be stored all the same, and may have ended a login.
                relay.alive_logins.forget();
            }
            let (outcome, outbox) = match done {
                Ok((value, outbox)) => (Ok(value), outbox),
                Err(refusal) => (Err(refusal), Outbox::default()),
            };
            for (_, login) in &outbox.ended {
                relay.alive_logins.end(*login);
            }
            // The caller may have gone.
            let _ = answer.send(outcome);
            relay.announce(&outbox);
            drop(unfinished);
        });
        answered.await.unwrap_or_else(|_| Err(self.fault()))
    }

    /// A refusal for a defect of the program; operators see it in the metrics.
    pub(crate) fn fault(&self) -> Refusal {
        self.metrics.panics.add(1);
        Refusal::fault()
    }
}
