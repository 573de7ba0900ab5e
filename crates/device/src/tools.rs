//! The tools that this device can run.

use std::{
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use assent_builtin_tools::{
    BuiltinTool as _, FetchOptions, FetchUrl, GetLocation, Location, ReadClipboard, ReadFile,
    Roots, SendNotification, TOOLS, Target, serving,
};
use assent_ids::SystemClock;
use assent_json::Json;
use assent_protocol::a2h::{ManifestTool, Sensitivity};
use assent_runtime::Executor;
use serde::Serialize;
use serde_json::Value;

use crate::{
    AgentTool, DeviceError, DeviceRelation, notifications::Notifications, settings::StoredSettings,
};

/// There is no way to read the clipboard: every call of the tool fails.
const UNAVAILABLE: &str = "read_clipboard";

/// The tools that this device can run.
pub(crate) struct Tools {
    read_file: Arc<ReadFile>,
    fetch_url: RwLock<Arc<FetchUrl>>,
    get_location: Arc<GetLocation>,
    notifications: Arc<Notifications>,
}

/// A tool of this device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceTool {
    /// The name.
    pub name: &'static str,
    /// Other names under which agents declare it.
    pub aliases: &'static [&'static str],
    /// The scope that it needs.
    pub scope: &'static str,
    /// How sensitive it is at least.
    pub sensitivity: Sensitivity,
    /// Whether this device can run it.
    pub available: bool,
}

/// The tools of this device.
#[must_use]
pub fn device_tools() -> Vec<DeviceTool> {
    let tools = TOOLS.iter().map(|tool| DeviceTool {
        name: tool.name,
        aliases: tool.aliases,
        scope: tool.scope,
        sensitivity: tool.sensitivity,
        available: tool.name != UNAVAILABLE,
    });
    tools.collect()
}

/// What the tools need to run with other settings.
pub(crate) struct PreparedTools {
    roots: Roots,
    fetch_url: Arc<FetchUrl>,
    location: Option<Location>,
}

fn fetch_url(settings: &StoredSettings) -> Result<Arc<FetchUrl>, DeviceError> {
    let allow_origins = settings.origins()?;
    let fetch = FetchUrl::new(FetchOptions { allow_origins, ..FetchOptions::default() });
    fetch.map(Arc::new).map_err(|error| DeviceError::Input(error.to_string()))
}

/// The tool of this device that runs a declared one; `None` if there is none that can.
pub(crate) fn served_by(tool: &ManifestTool) -> Option<&'static str> {
    let served_by = serving(tool)?.name;
    (served_by != UNAVAILABLE).then_some(served_by)
}

impl Tools {
    pub(crate) fn new(
        settings: &StoredSettings,
        data: &Path,
        notifications: Arc<Notifications>,
    ) -> Result<Self, DeviceError> {
        Ok(Self {
            read_file: Arc::new(ReadFile::new(settings.roots(data)?)),
            fetch_url: RwLock::new(fetch_url(settings)?),
            get_location: Arc::new(GetLocation::new(settings.settings.location)),
            notifications,
        })
    }

    /// Checks settings before they are stored.
    pub(crate) fn prepare(
        &self,
        settings: &StoredSettings,
        data: &Path,
    ) -> Result<PreparedTools, DeviceError> {
        Ok(PreparedTools {
            roots: settings.roots(data)?,
            fetch_url: fetch_url(settings)?,
            location: settings.settings.location,
        })
    }

    /// Runs the tools with other settings. The relations have to be applied again.
    pub(crate) fn set(&self, prepared: PreparedTools) {
        self.read_file.set_roots(prepared.roots);
        self.get_location.set_location(prepared.location);
        *self.fetch_url.write().unwrap_or_else(PoisonError::into_inner) = prepared.fetch_url;
    }

    fn fetch_url(&self) -> Arc<FetchUrl> {
        Arc::clone(&self.fetch_url.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The place that a call reaches: the folder of a file, the origin of a page. `None` if the tool has no places.
    pub(crate) fn place(&self, tool: &AgentTool, arguments: &Value) -> Option<String> {
        let input = Json::from_value(arguments).ok()?;
        match serving(&tool.declared)?.name {
            "read_file" => self.read_file.place(&input),
            "fetch_url" => self.fetch_url().place(&input),
            _ => None,
        }
    }

    /// What a call acts on. `None` if the tool acts on nothing that the arguments choose.
    pub(crate) fn target(&self, tool: &AgentTool, arguments: &Value) -> Option<Target> {
        let input = Json::from_value(arguments).ok()?;
        match serving(&tool.declared)?.name {
            "read_file" => self.read_file.target(&input),
            "fetch_url" => self.fetch_url().target(&input),
            _ => None,
        }
    }

    /// The executor of a declared tool; `None` if this device has no such tool.
    pub(crate) fn executor(
        &self,
        relation: &DeviceRelation,
        tool: &AgentTool,
    ) -> Option<Arc<dyn Executor>> {
        Some(match serving(&tool.declared)?.name {
            "read_file" => Arc::clone(&self.read_file) as _,
            "fetch_url" => self.fetch_url() as _,
            "get_location" => Arc::clone(&self.get_location) as _,
            "read_clipboard" => Arc::new(ReadClipboard),
            "send_notification" => {
                let notifier = Arc::clone(&self.notifications);
                let clock = Arc::new(SystemClock);
                Arc::new(SendNotification::new(&relation.agent_name, notifier, clock))
            }
            _ => return None,
        })
    }
}
