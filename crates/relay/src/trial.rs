//! Where unit tests keep what they store.

use assent_store::Database;
use tempfile::TempDir;

use crate::{schema::MIGRATIONS, settings::Settings};

/// An empty database, and the settings that name it; gone when this is dropped.
pub(crate) struct Trial {
    pub(crate) settings: Settings,
    pub(crate) store: Database,
    _data: TempDir,
    _server: Option<assent_test_servers::Database>,
}

impl Trial {
    pub(crate) async fn new(postgres: bool) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = postgres.then(assent_test_servers::database);
        let mut settings = Settings::new(data.path());
        settings.database = server.as_ref().map(|server| server.url().parse().unwrap());
        let store = Database::open(&settings.location(), MIGRATIONS).await.unwrap();
        Self { settings, store, _data: data, _server: server }
    }
}
