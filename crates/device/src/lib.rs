//! The person's device.
//!
//! A [`Device`] belongs to an account of a relay. Agents that the person has added ask it to run tools, and every call
//! goes the same way: it is opened and stored ([`assent_mailbox`]), checked (`receive_call.rs`), taken through the
//! runtime with the person as approver (`run_call.rs`, [`Prompt`]), and answered (`outcome.rs`).
//!
//! **Invariant:** a call leaves the inbox in the transaction that stores it, and its answer enters the outbox in the
//! transaction that closes it. After a crash it is neither lost nor run twice.
//!
//! **Invariant:** what is agreed to is what was shown: an answer names the digest of the view.

mod account;
mod activity;
mod add_agent;
mod agent_changes;
mod agent_manifest;
mod agent_tools;
mod approver;
mod attachments;
mod audit;
mod call_hook;
mod call_record;
mod conversations;
mod decision;
mod device;
mod device_prompts;
mod directory;
mod error;
mod events;
mod grants;
mod inbox;
mod journal_cipher;
mod keys;
mod ledger;
mod messages;
mod millis;
mod notifications;
mod options;
mod outcome;
mod prompt;
mod prompt_record;
mod prompt_subject;
mod prompt_works;
mod prompts;
mod receive_call;
mod refresh;
mod relation;
mod relation_works;
mod relay_events;
mod retention;
mod reviews;
mod run_call;
mod scope_texts;
mod settings;
mod sign_in;
mod silence;
mod tool_standing;
mod tools;
mod works;

pub use assent_mailbox::SyncStatus;

pub use activity::{
    ActivityFilter, ActivityOutcome, ActivityPage, CallItem, CallStage, CallStatus, CallStory,
    CallTool, StageStatus, ViewDigests,
};
pub use add_agent::{AddAgent, AddedAgent};
pub use agent_manifest::{AgentManifest, AgentTool};
pub use attachments::Attachment;
pub use audit::{AuditEntry, AuditExport, AuditMark, AuditProblem, AuditProblemKind, AuditReport};
pub use conversations::{Conversation, ConversationEntry};
pub use decision::{DecidedBy, Decision, Interface};
pub use device::Device;
pub use directory::{AgentOffer, OfferedScope, OfferedTool};
pub use error::DeviceError;
pub use events::{DeviceEvent, PromptOutcome};
pub use grants::ChangeGrants;
pub use keys::{AgentKeysView, ChangedKeys};
pub use messages::{MessageBody, Side};
pub use notifications::Notification;
pub use options::{DeviceOptions, Timings};
pub use prompt::{
    Prompt, PromptAgent, PromptAnswer, PromptError, PromptScope, PromptSilence, PromptTool,
};
pub use relation::{
    DeviceRelation, Established, RelationStanding, ScopeAccess, SeenManifest, UnsentEntry,
};
pub use reviews::{PendingReview, RejectedManifest, Review, ReviewAnswer, ReviewChange};
pub use scope_texts::{Language, ScopeText, scope_text};
pub use settings::{DeviceSettings, SettingsChange};
pub use sign_in::AccountInfo;
pub use tool_standing::ToolStanding;
pub use tools::{DeviceTool, device_tools};
