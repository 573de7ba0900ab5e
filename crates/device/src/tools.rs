//! The tools that this device can run.

use std::sync::Arc;

use assent_builtin_tools::{ReadFile, Roots, serving};
use assent_runtime::Executor;

use crate::{AgentTool, DeviceError, DeviceOptions};

/// The tools that this device can run.
pub(crate) struct Tools {
    read_file: Arc<ReadFile>,
}

impl Tools {
    pub(crate) fn new(options: &DeviceOptions) -> Result<Self, DeviceError> {
        let roots = Roots::new(&options.roots, &options.data);
        let roots = roots.map_err(|error| DeviceError::Input(error.to_string()))?;
        Ok(Self { read_file: Arc::new(ReadFile::new(roots)) })
    }

    /// The executor of a declared tool; `None` if this device has no such tool.
    pub(crate) fn executor(&self, tool: &AgentTool) -> Option<Arc<dyn Executor>> {
        match serving(&tool.declared)?.name {
            "read_file" => Some(Arc::clone(&self.read_file) as _),
            _ => None,
        }
    }
}
