//! What every operation works with.

use std::sync::Arc;

use assent_ids::{Clock, Entropy, Minter, UnixMillis};
use assent_protocol::a2h::ApiCode;
use assent_store::{Database, Work};
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    access_tokens::AccessTokens, bus::Bus, catalog::Catalog, hub::Hub, manifests::Places,
    outbox::Outbox, passwords::Passwords, refusal::Refusal, settings::Settings, webhooks::Webhooks,
};

/// A running relay.
pub(crate) struct Relay {
    pub(crate) settings: Settings,
    pub(crate) store: Database,
    pub(crate) minter: Minter,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) bus: Bus,
    pub(crate) access_tokens: AccessTokens,
    pub(crate) passwords: Passwords,
    pub(crate) webhooks: Webhooks,
    /// Agents, to be searched.
    pub(crate) catalog: Catalog,
    /// Where manifests are judged.
    pub(crate) places: Places,
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
        store: Database,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            webhooks: Webhooks::new(&settings),
            settings,
            store,
            minter: Minter::new(clock, Arc::clone(&entropy)),
            passwords: Passwords::new(Arc::clone(&entropy)),
            entropy,
            hub: Arc::default(),
            bus: Bus::default(),
            access_tokens: AccessTokens::default(),
            catalog: Catalog::default(),
            places: Places::default(),
            deliveries: Notify::new(),
            broadcasts: Notify::new(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
        }
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.minter.now()
    }

    /// Does `work` and, once it is durable, tells everybody what it has to tell; also if whoever asked
    /// has gone meanwhile.
    pub(crate) async fn commit<W, T>(self: &Arc<Self>, work: W) -> Result<T, Refusal>
    where
        W: Work<Output = (T, Outbox), Error = Refusal>,
        T: Send + 'static,
    {
        let relay = Arc::clone(self);
        let task = self.tasks.spawn(async move {
            let (value, outbox) = relay.store.write(work).await?;
            relay.announce(&outbox);
            Ok(value)
        });
        let lost = |_| {
            let text = "something went wrong on our side; it was recorded";
            Err(Refusal::new(ApiCode::InternalError, text))
        };
        task.await.unwrap_or_else(lost)
    }
}
