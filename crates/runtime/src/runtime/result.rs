//! The result of a call, as the caller gets it.

use std::{ops::Deref, sync::Arc};

use assent_protocol::agent_tool::ToolResult;
use serde::Serialize;

/// The one result of a call. It dereferences to the record of the standard, which the journal holds as
/// well. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct CallResult(Arc<ToolResult>);

impl CallResult {
    /// The text that the model is sent. Blocks without text are left out.
    #[must_use]
    pub fn model_text(&self) -> String {
        let blocks = self.model_facing_content.iter().flatten().filter_map(|block| block.typed());
        let texts: Vec<&str> = blocks.filter_map(|block| block.text.as_deref()).collect();
        texts.join("\n")
    }

    /// The shared record.
    #[must_use]
    pub fn record(&self) -> &Arc<ToolResult> {
        &self.0
    }
}

impl Deref for CallResult {
    type Target = ToolResult;

    fn deref(&self) -> &ToolResult {
        &self.0
    }
}

impl From<Arc<ToolResult>> for CallResult {
    fn from(record: Arc<ToolResult>) -> Self {
        Self(record)
    }
}
