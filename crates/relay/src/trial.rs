//! Where unit tests keep what they store.

use std::sync::Arc;

use assent_store::Database;
use tempfile::TempDir;

use crate::{
    settings::Settings,
    tray::{self, Tray},
};

/// An empty database, and the settings that name it; gone when this is dropped.
pub(crate) struct Trial {
    pub(crate) settings: Settings,
    pub(crate) store: (Database, Option<Arc<Tray>>),
    _data: TempDir,
    _server: Option<assent_test_servers::Database>,
}

impl Trial {
    pub(crate) async fn new(postgres: bool) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = postgres.then(assent_test_servers::database);
        let mut settings = Settings::new(data.path());
        settings.database = server.as_ref().map(|server| server.url().parse().unwrap());
        let store = tray::open(&settings.location()).await.unwrap();
        Self { settings, store, _data: data, _server: server }
    }
}
