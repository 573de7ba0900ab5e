//! What the model calls.

use std::num::NonZeroU32;

use assent_ids::CallId;
use assent_protocol::wire::Object;
use serde_json::Value;

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// By what the rest of the file names it.
    pub id: CallId,
    /// The tool as the model writes it: a name, an alias, `namespace/name`, or one that nobody knows.
    pub tool: String,
    /// The arguments; any JSON, since a model may write anything.
    pub input: Value,
    /// Batches run one after another, the calls of one together.
    pub batch: NonZeroU32,
    /// Calls of this or an earlier batch that end before it starts. What their failure means is the
    /// scheduler's to say.
    pub depends_on: Vec<CallId>,
    /// Ids of the protocol that the call came through.
    pub native: Option<Object>,
    /// Who calls.
    pub actor: Option<String>,
}
