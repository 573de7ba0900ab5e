//! `POST /admin/backup`

use std::{path::PathBuf, sync::Arc};

use assent_protocol::a2h::ApiCode;
use assent_relay_api::operations::admin::{BackUp, BackupReport};
use assent_store::Dialect;

use crate::{
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::backup::{BackupError, Copy},
};

impl Serve for BackUp {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        if relay.store.dialect() == Dialect::Postgres {
            let text = "the database is a PostgreSQL: back it up with `pg_dump`";
            return Err(Refusal::new(ApiCode::Conflict, text));
        }
        let path = call.body.path;
        let (working, to) = (Arc::clone(relay), PathBuf::from(path.as_str()));
        // Finished also if the operator hangs up, so that nothing half-made is left behind.
        let copying = relay.tasks.spawn(async move { Copy::make(&working.store, &to).await });
        let copied = copying.await.map_err(|_| Refusal::fault())?;
        let Copy { size_bytes, sha256 } = copied.map_err(refused)?;
        tracing::info!(path = path.as_str(), size_bytes, "the database was backed up");
        let finished_at = relay.now().into();
        Ok(Answer::new(BackupReport { path, size_bytes, sha256, finished_at }))
    }
}

fn refused(error: BackupError) -> Refusal {
    match error {
        BackupError::Exists => Refusal::new(ApiCode::Conflict, error.to_string()),
        BackupError::Store(error) => error.into(),
        BackupError::File(_) => Refusal::invalid("/path", error.to_string()),
    }
}
