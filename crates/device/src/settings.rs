//! What the person has set on this device. Changes count from the next call on.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use assent_builtin_tools::{Location, Origins, Roots};
use assent_ids::ScopeId;
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::Sensitivity;
use assent_store::{Tx, Work};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{AgentTool, Device, DeviceError, DeviceEvent, DeviceOptions, Language};

const SELECT: &str = "SELECT settings FROM device_settings WHERE only_row = 1";
const UPSERT: &str = "INSERT INTO device_settings (only_row, settings) VALUES (1, $1)
    ON CONFLICT (only_row) DO UPDATE SET settings = excluded.settings";
const PLACE: &str = "device_settings";

/// What the person has set. It serializes as the API of the console shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceSettings {
    /// The language of texts for people; `None` leaves it to those who show them.
    pub lang: Option<Language>,
    /// What `get_location` answers.
    pub location: Option<Location>,
    /// Scopes that are more sensitive than agents and this device say.
    pub sensitivity: BTreeMap<ScopeId, Sensitivity>,
    /// Exact origins that `fetch_url` may reach without https and on private addresses, for development.
    #[serde(rename = "fetch.allow_origins")]
    pub fetch_allow_origins: Vec<String>,
}

/// A change of settings. What it does not name stays as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsChange {
    /// The language.
    #[serde(default)]
    pub lang: Option<Language>,
    /// The location; `Some(None)` forgets it.
    #[serde(default, deserialize_with = "present")]
    pub location: Option<Option<Location>>,
    /// The sensitivity of scopes; `None` is that of agents and of this device again.
    #[serde(default)]
    pub sensitivity: BTreeMap<ScopeId, Option<Sensitivity>>,
    /// All origins.
    #[serde(default, rename = "fetch.allow_origins")]
    pub fetch_allow_origins: Option<Vec<String>>,
}

/// Tells `null` from what is not there.
fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<Location>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// What is stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct StoredSettings {
    pub(crate) settings: DeviceSettings,
    /// The folders that `read_file` may read.
    pub(crate) roots: Vec<PathBuf>,
}

impl StoredSettings {
    /// The settings of a device on which nothing was set.
    fn initial(options: &DeviceOptions) -> Self {
        let origins = options.fetch_origins.to_string();
        let origins = origins.split(", ").filter(|origin| !origin.is_empty());
        let settings = DeviceSettings {
            lang: options.lang,
            location: options.location,
            sensitivity: BTreeMap::new(),
            fetch_allow_origins: origins.map(str::to_owned).collect(),
        };
        Self { settings, roots: options.roots.clone() }
    }

    pub(crate) fn origins(&self) -> Result<Origins, DeviceError> {
        let origins = self.settings.fetch_allow_origins.join(" ");
        origins
            .parse()
            .map_err(|error| DeviceError::Input(format!("`fetch.allow_origins`: {error}")))
    }

    pub(crate) fn roots(&self, data: &Path) -> Result<Roots, DeviceError> {
        Roots::new(&self.roots, data).map_err(|error| DeviceError::Input(error.to_string()))
    }

    /// Leaves out folders that cannot be read any more.
    fn without_missing_roots(mut self, data: &Path) -> Self {
        self.roots.retain(|root| match Roots::new(std::slice::from_ref(root), data) {
            Ok(_) => true,
            Err(error) => {
                tracing::warn!(%error, "a folder is left out");
                false
            }
        });
        self
    }
}

/// The settings that count now.
#[derive(Debug)]
pub(crate) struct LiveSettings(RwLock<Arc<StoredSettings>>);

impl LiveSettings {
    pub(crate) fn new(settings: StoredSettings) -> Self {
        Self(RwLock::new(Arc::new(settings)))
    }

    pub(crate) fn get(&self) -> Arc<StoredSettings> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, settings: StoredSettings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// The language of texts for people.
    pub(crate) fn language(&self) -> Language {
        self.get().settings.lang.unwrap_or_default()
    }

    /// A tool as the person has set it: never less sensitive than it is.
    pub(crate) fn adapt(&self, mut tool: AgentTool) -> AgentTool {
        let set = self.get().settings.sensitivity.get(&tool.declared.permission_scope).copied();
        tool.sensitivity = set.map_or(tool.sensitivity, |set| set.max(tool.sensitivity));
        tool
    }
}

/// Reads the settings, if any are stored.
pub(crate) struct LoadSettings(pub(crate) Mailbox);

impl Work for LoadSettings {
    type Output = Option<StoredSettings>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let Some(row) = tx.optional(SELECT, &[]).await? else { return Ok(None) };
        let json = self.0.decrypt(PLACE, &row.get::<Vec<u8>>(0)?)?;
        serde_json::from_slice(&json).map(Some).map_err(|_| MailboxError::Damaged("settings"))
    }
}

/// Stores the settings.
struct SaveSettings(Mailbox, StoredSettings);

impl Work for SaveSettings {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let json = serde_json::to_vec(&self.1).map_err(|_| MailboxError::Damaged("settings"))?;
        Ok(tx.execute(UPSERT, &[self.0.encrypt(PLACE, &json).into()]).await?)
    }
}

/// The stored settings of a device, or the ones that it begins with.
pub(crate) fn effective(
    stored: Option<StoredSettings>,
    options: &DeviceOptions,
) -> Result<StoredSettings, DeviceError> {
    match stored {
        Some(stored) => Ok(stored.without_missing_roots(&options.data)),
        None => {
            let initial = StoredSettings::initial(options);
            initial.roots(&options.data)?;
            Ok(initial)
        }
    }
}

impl Device {
    /// What the person has set.
    #[must_use]
    pub fn settings(&self) -> DeviceSettings {
        self.shared.settings.get().settings.clone()
    }

    /// Changes settings. They are stored and count when this returns.
    ///
    /// # Errors
    /// If an origin cannot be used, or the settings cannot be written.
    pub async fn change_settings(
        &self,
        change: SettingsChange,
    ) -> Result<DeviceSettings, DeviceError> {
        self.update_settings(|stored| {
            let settings = &mut stored.settings;
            settings.lang = change.lang.or(settings.lang);
            settings.location = change.location.unwrap_or(settings.location);
            for (scope, level) in change.sensitivity {
                match level {
                    Some(level) => settings.sensitivity.insert(scope, level),
                    None => settings.sensitivity.remove(&scope),
                };
            }
            if let Some(origins) = change.fetch_allow_origins {
                settings.fetch_allow_origins = origins;
            }
        })
        .await?;
        Ok(self.settings())
    }

    /// The folders that `read_file` may read.
    #[must_use]
    pub fn roots(&self) -> Vec<PathBuf> {
        self.shared.settings.get().roots.clone()
    }

    /// Replaces the folders that `read_file` may read. They are stored and count when this returns.
    ///
    /// # Errors
    /// If a folder does not exist, is not an absolute path or holds data of the device.
    pub async fn set_roots(&self, roots: Vec<PathBuf>) -> Result<Vec<PathBuf>, DeviceError> {
        self.update_settings(|stored| stored.roots = roots).await?;
        Ok(self.roots())
    }

    async fn update_settings(
        &self,
        change: impl FnOnce(&mut StoredSettings),
    ) -> Result<(), DeviceError> {
        let shared = &self.shared;
        let _changing = shared.changing_settings.lock().await;
        let mut next = (*shared.settings.get()).clone();
        change(&mut next);
        let prepared = shared.tools.prepare(&next, &shared.options.data)?;
        shared.database.write(SaveSettings(shared.mailbox.clone(), next.clone())).await?;
        shared.settings.set(next);
        shared.tools.set(prepared);
        shared.apply_relations().await?;
        for relation in self.relations().await? {
            let agent_id = relation.agent_id;
            shared.events.announce(DeviceEvent::RelationChanged { agent_id });
        }
        Ok(())
    }
}
