//! Opens the state of an agent and connects it.

use std::{
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::Path,
    sync::{Arc, Mutex},
};

use assent_ids::{AgentId, Entropy, EventSeq, SystemClock, SystemEntropy};
use assent_mailbox::{Mailbox, MailboxSync, TABLES, open_key_file};
use assent_relay_api::{operations::agents::RegisterAgentKeys, path::AgentPath};
use assent_relay_client::{Client, Credentials, SocketRole};
use assent_sealing::Endpoint;
use assent_store::{Database, Location, Migration};
use tokio::sync::watch;

use crate::{
    AgentError, AgentOptions, AgentState,
    handlers::Handlers,
    relations,
    sent::Sending,
    shared::Shared,
    sync_delegate::AgentSyncDelegate,
    works::{LoadOwnState, Registered},
};

const MIGRATIONS: &[Migration] =
    &[TABLES, Migration { name: "agent", sql: include_str!("tables.sql") }];

/// Connects an agent. Returns what its tasks share, and the last event that an earlier process has received.
pub(crate) async fn run(options: AgentOptions) -> Result<(Shared, EventSeq), AgentError> {
    let temporary = match &options.state {
        AgentState::Directory(_) => None,
        AgentState::Temporary => Some(tempfile::tempdir()?),
    };
    let directory = match (&options.state, &temporary) {
        (AgentState::Directory(directory), _) => directory.as_path(),
        (AgentState::Temporary, Some(directory)) => directory.path(),
        (AgentState::Temporary, None) => {
            return Err(io::Error::from(io::ErrorKind::NotFound).into());
        }
    };
    let lock = lock_directory(directory)?;
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy::new()?);
    let key = open_key_file(&directory.join("storage.key"), &*entropy)?;
    let mailbox = Mailbox::new(key, Arc::new(SystemClock), Arc::clone(&entropy));
    let location = Location::Sqlite(directory.join("agent.db"));
    let database = Database::open(&location, MIGRATIONS).await?;
    let client = Client::new(&options.relay, Credentials::Bearer(options.token))?;
    let last_before = register(&database, &mailbox, &client, options.agent_id).await?;
    relations::load(&database, &client).await?;
    let sending = Arc::new(Sending::default());
    let delegate = Arc::new(AgentSyncDelegate {
        client: client.clone(),
        database: database.clone(),
        mailbox: mailbox.clone(),
        sending: Arc::clone(&sending),
    });
    let role = SocketRole::Agent(options.agent_id);
    let sync = MailboxSync::start(database.clone(), mailbox.clone(), role, delegate);
    let publisher = options.manifest_token.map(Credentials::Bearer);
    let shared = Shared {
        database,
        mailbox,
        sync,
        messages: Handlers::default(),
        events: Handlers::default(),
        statuses: Handlers::default(),
        has_handlers: watch::Sender::new(false),
        sending,
        agent_id: options.agent_id,
        relay: options.relay,
        publisher: publisher.map(|token| client.with_credentials(token)),
        client,
        clock: SystemClock,
        entropy,
        settled: watch::Sender::new(EventSeq::default()),
        delivering: tokio::sync::Mutex::default(),
        waiting: Mutex::default(),
        lock: Mutex::new(Some(lock)),
        _temporary: temporary,
    };
    Ok((shared, last_before))
}

/// Makes the directory, which only its owner can read, and locks it.
fn lock_directory(directory: &Path) -> Result<File, AgentError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(directory.join("agent.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(AgentError::InUse),
        Err(fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Registers the keys of the agent, unless that is done. Returns the last event that was received.
async fn register(
    database: &Database,
    mailbox: &Mailbox,
    client: &Client,
    agent_id: AgentId,
) -> Result<EventSeq, AgentError> {
    let own = database.write(LoadOwnState(mailbox.clone())).await?;
    match own.endpoint {
        Some(endpoint) if endpoint == Endpoint::Agent(agent_id) => return Ok(own.last_event_id),
        Some(_) => {
            let reason = "the directory belongs to another agent";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason).into());
        }
        None => {}
    }
    let keys = own.new_agent_keys()?;
    client.call::<RegisterAgentKeys>(&AgentPath { agent_id }, &(), &keys).await?;
    database.write(Registered(mailbox.clone(), Endpoint::Agent(agent_id))).await?;
    Ok(own.last_event_id)
}
