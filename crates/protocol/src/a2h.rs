//! What agents and people exchange, and the relay between them.
//!
//! The capability manifest, a tool call and its answer, the events of the relay, and the envelope and
//! error codes of the HTTP interface. Tool calls and answers are read in every published spelling and
//! written in one.

mod api_code;
mod api_error;
mod artifact;
mod capability_flags;
mod denied_reason;
mod envelope;
mod manifest;
mod message;
mod permission_scope;
mod preset_scope;
mod relay_event;
mod relay_event_data;
mod sensitivity;
mod tool_call;
mod tool_error_code;
mod tool_outcome;
mod tool_response;

pub use api_code::ApiCode;
pub use api_error::{ApiError, ErrorEnvelope};
pub use artifact::ArtifactError;
pub use capability_flags::CapabilityFlags;
pub use denied_reason::DeniedReason;
pub use envelope::{DataEnvelope, Page};
pub use manifest::{CapabilityManifest, MANIFEST_SCHEMA_VERSION, ManifestTool};
pub use message::{ContentType, Message, MsgSubtype, SenderType};
pub use permission_scope::PermissionScope;
pub use preset_scope::PresetScope;
pub use relay_event::{EventBody, RelayEvent, RelayEventType};
pub use relay_event_data::{
    AgentKeysChanged, CapabilityChanged, InvalidationReason, MessageAck, ReauthRequired,
    RelationNotice, SessionInvalidated, TelemetryNotice,
};
pub use sensitivity::Sensitivity;
pub use tool_call::ToolCall;
pub use tool_error_code::{ToolErrorCode, ToolErrorReason};
pub use tool_outcome::ToolOutcome;
pub use tool_response::ToolResponse;
