//! Calls of the model.

use std::num::NonZeroU32;

use assent_ids::CallId;
use assent_protocol::wire::Object;
use serde_json::Value;

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The id of the call in the file.
    pub id: CallId,
    /// The tool as the model writes it: a name, an alias, `namespace/name`, or an unknown name.
    pub tool: String,
    /// The arguments; any JSON, since a model may write anything.
    pub input: Value,
    /// The batch. Batches run one after another, and the calls of a batch together.
    pub batch: NonZeroU32,
    /// Calls of this or an earlier batch that must end before this one starts. The scheduler policy decides
    /// what their failure means.
    pub depends_on: Vec<CallId>,
    /// Ids of the protocol that the call came through.
    pub native: Option<Object>,
    /// The caller.
    pub actor: Option<String>,
}
