//! Whether what a server acknowledges stays.
//!
//! Asked of every connection: the one after a takeover may reach a server that was never checked.

use tokio_postgres::{Client, SimpleQueryMessage};

use super::open::described;
use crate::OpenError;

/// Settings without which an acknowledgement means nothing, and what they must not be.
const ANYWHERE: [(&str, &[&str]); 3] =
    [("fsync", &["off"]), ("full_page_writes", &["off"]), ("synchronous_commit", &["off"])];

/// The same where another server may take over: what was acknowledged has to be on its disk as well.
const WITH_STAND_INS: [(&str, &[&str]); 2] =
    [("synchronous_commit", &["local", "remote_write"]), ("synchronous_standby_names", &[""])];

/// Looks whether what is committed here stays, also if another server takes over.
pub(super) async fn check(client: &Client, has_stand_ins: bool) -> Result<(), OpenError> {
    let elsewhere = WITH_STAND_INS.iter().filter(|_| has_stand_ins);
    for (setting, unfit) in ANYWHERE.iter().chain(elsewhere) {
        let asked = client.simple_query(&format!("SHOW {setting}")).await;
        let answers = asked.map_err(|error| OpenError::Database(described(&error)))?;
        let value = answers.iter().find_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        let value = value.unwrap_or_default().to_owned();
        if unfit.contains(&value.as_str()) {
            return Err(OpenError::NotDurable { setting, value });
        }
    }
    Ok(())
}
