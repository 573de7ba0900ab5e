//! Where unit tests keep what they store.

use assent_ids::Principal;
use std::sync::Arc;

use assent_protocol::a2h::RelayEventType;
use assent_store::{Database, StoreError, Tx, Work};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    conversations::message_store::MessageStore,
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    settings::Settings,
    state::Relay,
};

/// An empty database, and the settings that name it; gone when this is dropped.
pub(crate) struct TestStore {
    pub(crate) settings: Settings,
    pub(crate) store: (Database, MessageStore),
    _data: TempDir,
    _server: Option<assent_test_servers::Database>,
}

impl TestStore {
    pub(crate) async fn new(postgres: bool) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = postgres.then(assent_test_servers::database);
        let mut settings = Settings::new(data.path());
        settings.database = server.as_ref().map(|server| server.url().parse().unwrap());
        let store = MessageStore::open(&settings.location()).await.unwrap();
        Self { settings, store, _data: data, _server: server }
    }
}

/// Appends an event that is not about a message.
pub(crate) struct Tell {
    pub(crate) relay: Arc<Relay>,
    pub(crate) party: Principal,
}

impl Work for Tell {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let content = Content::notice(RelayEventType::Telemetry, &json!({}))?;
        let mut outbox = Outbox::default();
        events::append_one(tx, &self.relay.minter, self.party, &content, &mut outbox).await?;
        Ok(())
    }
}
