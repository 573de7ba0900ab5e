//! The device: its state, its account, its tasks.

use std::{
    fmt,
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{
    AgentId, Clock as _, DeviceId, Entropy, Minter, SystemClock, SystemEntropy, UnixMillis, UserId,
};
use assent_journal::SqliteJournal;
use assent_mailbox::{Mailbox, MailboxSync, SyncStatus, TABLES, open_key_file};
use assent_relay_client::SocketRole;
use assent_runtime::Runtime;
use assent_sealing::Endpoint;
use assent_store::{Database, Location, Migration};
use tokio::{
    sync::{mpsc, watch},
    task::{AbortHandle, JoinSet},
};

use crate::{
    AuditMark, DeviceError, DeviceEvent, DeviceOptions, DeviceRelation, Language,
    account::{Account, AccountClient},
    agent_tools,
    attachments::Attachments,
    audit::HeadFile,
    call_hook,
    call_record::CallRecord,
    events::Events,
    inbox,
    journal_cipher::JournalCipher,
    notifications::Notifications,
    prompts::Prompts,
    refresh, retention, run_call,
    settings::{self, LiveSettings, LoadSettings},
    tools::Tools,
    works::{AllRelations, FindPeer, LoadState, OpenCalls},
};

pub(crate) const MIGRATIONS: &[Migration] =
    &[TABLES, Migration { name: "device", sql: include_str!("tables.sql") }];

/// A person's device. Clones share it; it stops with the last clone.
#[derive(Clone)]
pub struct Device {
    pub(crate) shared: Arc<Shared>,
    _tasks: Arc<Tasks>,
}

/// What the tasks of a device share.
pub(crate) struct Shared {
    pub(crate) options: DeviceOptions,
    pub(crate) database: Database,
    pub(crate) mailbox: Mailbox,
    pub(crate) runtime: Runtime,
    pub(crate) prompts: Arc<Prompts>,
    pub(crate) minter: Arc<Minter>,
    pub(crate) events: Events,
    pub(crate) attachments: Arc<Attachments>,
    pub(crate) audit_head: Arc<HeadFile>,
    pub(crate) tools: Tools,
    pub(crate) settings: LiveSettings,
    /// Held while the runtime gets to know the tools of all agents.
    applying: tokio::sync::Mutex<()>,
    /// Held while settings are changed.
    pub(crate) changing_settings: tokio::sync::Mutex<()>,
    /// The relay that was chosen for the account.
    relay: Mutex<Option<String>>,
    connected: Mutex<Option<Connected>>,
    calls: Mutex<JoinSet<()>>,
    /// Calls of agents whose keys have changed.
    paused: Mutex<Vec<CallRecord>>,
    /// Held while entries of ledgers are sent.
    pub(crate) ledger: tokio::sync::Mutex<()>,
    _lock: File,
}

/// The connection of a device with an account.
struct Connected {
    own: OwnIds,
    account: AccountClient,
    sync: Arc<MailboxSync>,
    tasks: [AbortHandle; 2],
    /// Agents that have to be looked after.
    refreshes: mpsc::UnboundedSender<AgentId>,
}

impl Drop for Connected {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// The ids of the person and of this device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnIds {
    pub(crate) user_id: UserId,
    pub(crate) device_id: DeviceId,
}

/// Ends the tasks of a device.
struct Tasks(Arc<Shared>);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.disconnect();
        self.0.calls().abort_all();
    }
}

impl Device {
    /// Opens the device in its data directory. If it has an account, it connects, and calls that were interrupted go
    /// on.
    ///
    /// # Errors
    /// If the data directory cannot be used, or another process uses it.
    pub async fn open(options: DeviceOptions) -> Result<Self, DeviceError> {
        let lock = lock_directory(&options.data)?;
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy::new()?);
        let key = open_key_file(&options.data.join("storage.key"), &*entropy)?;
        let mailbox = Mailbox::new(key, Arc::new(SystemClock), Arc::clone(&entropy));
        let location = Location::Sqlite(options.data.join("device.db"));
        let database = Database::open(&location, MIGRATIONS).await?;
        let (events, attachments) = (Events::default(), Arc::new(Attachments::default()));
        let prompts = Prompts::new(
            database.clone(),
            mailbox.clone(),
            options.timings,
            options.unattended,
            events.clone(),
            Arc::clone(&attachments),
        );
        let cipher = Arc::new(JournalCipher(mailbox.clone()));
        let journal = SqliteJournal::open_encrypted(&options.data.join("journal.db"), cipher)?;
        let audit_head = Arc::new(HeadFile::new(&options.data));
        audit_head.open(&database, &mailbox, &*entropy).await?;
        let runtime = Runtime::builder()
            .journal(Arc::new(journal))
            .approver(Arc::clone(&prompts) as _)
            .hooks(call_hook::hooks(Arc::clone(&prompts))?)
            .build()?;
        let relay = Mutex::new(options.relay.clone());
        let notifications =
            Notifications { events: events.clone(), attachments: Arc::clone(&attachments) };
        let stored = database.read(LoadSettings(mailbox.clone())).await?;
        let settings = settings::effective(stored, &options)?;
        let tools = Tools::new(&settings, &options.data, Arc::new(notifications))?;
        let shared = Arc::new(Shared {
            options,
            database,
            mailbox,
            runtime,
            prompts,
            minter: Arc::new(Minter::new(Arc::new(SystemClock), entropy)),
            events,
            attachments,
            audit_head,
            tools,
            settings: LiveSettings::new(settings),
            applying: tokio::sync::Mutex::default(),
            changing_settings: tokio::sync::Mutex::default(),
            relay,
            connected: Mutex::default(),
            calls: Mutex::default(),
            paused: Mutex::default(),
            ledger: tokio::sync::Mutex::default(),
            _lock: lock,
        });
        let device = Self { _tasks: Arc::new(Tasks(Arc::clone(&shared))), shared };
        retention::spawn(&device.shared);
        device.resume().await?;
        Ok(device)
    }

    /// Goes on where the last process stopped.
    async fn resume(&self) -> Result<(), DeviceError> {
        let shared = &self.shared;
        let (own, account) = shared.database.write(LoadState(shared.mailbox.clone())).await?;
        shared.apply_relations().await?;
        for record in shared.database.read(OpenCalls(shared.mailbox.clone())).await? {
            run_call::spawn(shared, record);
        }
        let Some(account) = account else { return Ok(()) };
        if shared.relay().is_some_and(|relay| relay != account.relay) {
            return Err(DeviceError::OtherRelay(account.relay));
        }
        shared.set_relay(account.relay.clone());
        if account.tokens.is_none() {
            return Ok(());
        }
        match own.endpoint {
            Some(Endpoint::Device(device_id)) => shared.connect(account, device_id)?,
            // The account was made, and then the process ended.
            _ => self.register_device(account).await?,
        }
        Ok(())
    }

    /// The language of texts for people; `None` leaves it to those who show them.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.settings().lang
    }

    /// Returns `true` if every call that needs a person is denied at once.
    #[must_use]
    pub fn is_unattended(&self) -> bool {
        self.shared.options.unattended
    }

    /// The connection to the relay, and every change of it; `None` without an account.
    #[must_use]
    pub fn status(&self) -> Option<watch::Receiver<SyncStatus>> {
        self.shared.connected().as_ref().map(|connected| connected.sync.status())
    }

    /// Returns `true` if the relay has ended the session, so that the person has to log in again.
    pub(crate) fn has_ended(&self) -> bool {
        self.status().is_some_and(|status| matches!(*status.borrow(), SyncStatus::Ended(_)))
    }

    /// The agents that the person has added.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn relations(&self) -> Result<Vec<DeviceRelation>, DeviceError> {
        self.shared.relations().await
    }
}

impl Shared {
    fn connected(&self) -> MutexGuard<'_, Option<Connected>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn calls(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a task that ends with the device.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut calls = self.calls();
        while calls.try_join_next().is_some() {}
        calls.spawn(task);
    }

    /// The time now.
    pub(crate) fn now(&self) -> UnixMillis {
        SystemClock.now()
    }

    pub(crate) fn relay(&self) -> Option<String> {
        self.relay.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_relay(&self, relay: String) {
        *self.relay.lock().unwrap_or_else(PoisonError::into_inner) = Some(relay);
    }

    /// Ends the connection to the relay.
    pub(crate) fn disconnect(&self) {
        self.connected().take();
    }

    pub(crate) fn connect(
        self: &Arc<Self>,
        account: Account,
        device_id: DeviceId,
    ) -> Result<(), DeviceError> {
        self.disconnect();
        let own = OwnIds { user_id: account.user_id, device_id };
        let account = AccountClient::new(self.database.clone(), self.mailbox.clone(), account)?;
        let sync = Arc::new(MailboxSync::start(
            self.database.clone(),
            self.mailbox.clone(),
            SocketRole::Human,
            Arc::new(account.clone()),
        ));
        let (refreshes, requests) = mpsc::unbounded_channel();
        let inbox = tokio::spawn(inbox::run(Arc::clone(self), Arc::clone(&sync)));
        let refresh = tokio::spawn(refresh::run(Arc::clone(self), Arc::clone(&sync), requests));
        let tasks = [inbox.abort_handle(), refresh.abort_handle()];
        self.spawn(announce_connection(sync.status(), self.events.clone()));
        *self.connected() = Some(Connected { own, account, sync, tasks, refreshes });
        Ok(())
    }

    /// The client of the account.
    pub(crate) fn account(&self) -> Result<AccountClient, DeviceError> {
        let connected = self.connected();
        let account = connected.as_ref().map(|connected| connected.account.clone());
        account.ok_or(DeviceError::NoAccount)
    }

    pub(crate) fn endpoint_and_user(&self) -> Result<OwnIds, DeviceError> {
        let connected = self.connected();
        connected.as_ref().map(|connected| connected.own).ok_or(DeviceError::NoAccount)
    }

    /// Sends what was put into the outbox.
    pub(crate) fn outbox_changed(&self) {
        if let Some(connected) = &*self.connected() {
            connected.sync.outbox_changed();
        }
    }

    /// Writes the head of the audit log into its file.
    pub(crate) async fn write_audit_head(&self, head: AuditMark) {
        let file = Arc::clone(&self.audit_head);
        if tokio::task::spawn_blocking(move || file.write(&head)).await.is_err() {
            tracing::error!("the head of the audit log was not written");
        }
    }

    pub(crate) async fn relations(&self) -> Result<Vec<DeviceRelation>, DeviceError> {
        Ok(self.database.read(AllRelations(self.mailbox.clone())).await?)
    }

    /// Looks after an agent soon, if the device is connected. Otherwise that happens when it is.
    pub(crate) fn request_refresh(&self, agent_id: AgentId) {
        if let Some(connected) = &*self.connected() {
            // The task that receives ends with the connection.
            let _ = connected.refreshes.send(agent_id);
        }
    }

    /// Returns `true` if calls of an agent have to wait, because its keys have changed.
    pub(crate) async fn is_paused(&self, agent_id: AgentId) -> bool {
        let find = FindPeer(self.mailbox.clone(), Endpoint::Agent(agent_id));
        match self.database.read(find).await {
            Ok(peer) => peer.is_none_or(|peer| peer.has_changed()),
            Err(error) => {
                tracing::error!(%error, "the keys of an agent cannot be read");
                true
            }
        }
    }

    /// Keeps a call until the person has accepted the keys of its agent.
    pub(crate) fn pause_call(&self, record: CallRecord) {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// The calls of an agent that waited.
    pub(crate) fn take_paused_calls(&self, agent_id: AgentId) -> Vec<CallRecord> {
        let mut paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        let (taken, kept) = paused.drain(..).partition(|record| record.call.agent_id == agent_id);
        *paused = kept;
        taken
    }

    /// Makes the runtime know the tools of all agents.
    pub(crate) async fn apply_relations(&self) -> Result<(), DeviceError> {
        // What was read last must not be overwritten by what another task read before.
        let _applying = self.applying.lock().await;
        let relations = self.relations().await?;
        agent_tools::apply(&self.runtime, &self.tools, &self.settings, &relations)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("data", &self.shared.options.data).finish_non_exhaustive()
    }
}

/// Announces whether the device is connected to the relay, until the connection ends for good.
async fn announce_connection(mut status: watch::Receiver<SyncStatus>, events: Events) {
    let mut before = None;
    loop {
        let connected = *status.borrow_and_update() == SyncStatus::Connected;
        if before != Some(connected) {
            events.announce(DeviceEvent::Connection { connected });
            before = Some(connected);
        }
        if status.changed().await.is_err() {
            return;
        }
    }
}

/// Makes the data directory, which only its owner can read, and locks it.
fn lock_directory(directory: &Path) -> io::Result<File> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(directory.join("device.lock"))?;
    file.try_lock().map_err(|_| {
        io::Error::new(io::ErrorKind::AddrInUse, "another process uses this directory")
    })?;
    Ok(file)
}
