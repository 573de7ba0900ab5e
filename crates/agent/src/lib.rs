//! The SDK for agents.
//!
//! An [`Agent`] is connected to a relay. It exchanges sealed messages with people and calls tools on their devices:
//!
//! ```no_run
//! # use assent_ids::{AgentId, ConversationId};
//! # async fn example(
//! #     agent_id: AgentId,
//! #     conversation: ConversationId,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! use assent_agent::{Agent, AgentOptions, ToolRequest};
//! use serde_json::json;
//!
//! let options = AgentOptions::new("https://relay.example", agent_id, "hsk_…").directory("./agent");
//! let agent = Agent::connect(options).await?;
//! let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
//! let notes = agent.call_tool(conversation, request).await?;
//! println!("{notes}");
//! # Ok(())
//! # }
//! ```
//!
//! **Invariant:** a call is stored before it is sent, so that its answer is waited for also after a restart.
//!
//! **Invariant:** a message is handled once all handlers have run; after a crash it is handled again.

mod agent;
mod call_error;
mod calls;
mod connect;
mod deliver;
mod device_of;
mod directory;
mod error;
mod handlers;
mod incoming;
mod options;
mod outgoing;
mod pending_call;
mod people;
mod publish;
mod relations;
mod sent;
mod settle;
mod shared;
mod statuses;
mod sync_delegate;
mod tool_calls;
mod tool_request;
mod typed_tool;
mod works;

pub use assent_mailbox::SyncStatus;
pub use assent_relay_api::operations::agents::UpdatedAgent;
pub use assent_sealing::{AgentLink, SafetyNumber};

pub use agent::Agent;
pub use call_error::CallError;
pub use directory::{AgentDirectory, DirectoryError, StoredAgent};
pub use error::AgentError;
pub use handlers::{AgentEvent, HandlerId, HandlerResult, IncomingMessage};
pub use options::{AgentOptions, AgentState};
pub use outgoing::Outgoing;
pub use pending_call::{CallUpdate, CallUpdates, PendingCall};
pub use people::PersonDevice;
pub use relations::RelationSummary;
pub use sent::Sent;
pub use tool_request::ToolRequest;
pub use typed_tool::TypedTool;
