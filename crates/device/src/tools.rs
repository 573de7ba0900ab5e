//! The tools that this device can run.

use std::sync::Arc;

use assent_builtin_tools::{
    BuiltinTool as _, FetchOptions, FetchUrl, GetLocation, ReadClipboard, ReadFile, Roots,
    SendNotification, Target, serving,
};
use assent_ids::SystemClock;
use assent_json::Json;
use assent_protocol::a2h::ManifestTool;
use assent_runtime::Executor;
use serde_json::Value;

use crate::{AgentTool, DeviceError, DeviceOptions, DeviceRelation, notifications::Notifications};

/// The tools that this device can run.
pub(crate) struct Tools {
    read_file: Arc<ReadFile>,
    fetch_url: Arc<FetchUrl>,
    get_location: Arc<GetLocation>,
    notifications: Arc<Notifications>,
}

/// The tool of this device that runs a declared one; `None` if there is none that can.
pub(crate) fn served_by(tool: &ManifestTool) -> Option<&'static str> {
    let served_by = serving(tool)?.name;
    // There is no way to read the clipboard: every call of the tool fails.
    (served_by != "read_clipboard").then_some(served_by)
}

impl Tools {
    pub(crate) fn new(
        options: &DeviceOptions,
        notifications: Arc<Notifications>,
    ) -> Result<Self, DeviceError> {
        let unusable = |error: &dyn std::error::Error| DeviceError::Input(error.to_string());
        let roots = Roots::new(&options.roots, &options.data).map_err(|error| unusable(&error))?;
        let fetch = FetchOptions {
            allow_origins: options.fetch_origins.clone(),
            ..FetchOptions::default()
        };
        Ok(Self {
            read_file: Arc::new(ReadFile::new(roots)),
            fetch_url: Arc::new(FetchUrl::new(fetch).map_err(|error| unusable(&error))?),
            get_location: Arc::new(GetLocation::new(options.location)),
            notifications,
        })
    }

    /// The place that a call reaches: the folder of a file, the origin of a page. `None` if the tool has no places.
    pub(crate) fn place(&self, tool: &AgentTool, arguments: &Value) -> Option<String> {
        let input = Json::from_value(arguments).ok()?;
        match serving(&tool.declared)?.name {
            "read_file" => self.read_file.place(&input),
            "fetch_url" => self.fetch_url.place(&input),
            _ => None,
        }
    }

    /// What a call acts on. `None` if the tool acts on nothing that the arguments choose.
    pub(crate) fn target(&self, tool: &AgentTool, arguments: &Value) -> Option<Target> {
        let input = Json::from_value(arguments).ok()?;
        match serving(&tool.declared)?.name {
            "read_file" => self.read_file.target(&input),
            "fetch_url" => self.fetch_url.target(&input),
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
            "fetch_url" => Arc::clone(&self.fetch_url) as _,
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
