//! The records of Agent Tool 0.2.0, read and written without loss.
//!
//! One file per record. What the published schemas close is closed, what they leave open is read with
//! [`Open`](crate::wire::Open), [`Loose`](crate::wire::Loose) and [`Lax`](assent_ids::Lax) and kept.
//! Two levels of validity: everything written here fits the published schemas (the tests prove it);
//! what Assent itself emits also has no [`strict::Strict::problems`].
//!
//! Fields marked "extension" are ours; the schemas are open at their root, so they stay valid.

// What can be called.
mod declaration;
mod external_mapping;
mod flag;
mod input_contract;
mod interface;
mod namespace;
mod output_contract;

// What is on offer.
mod deferred_tool;
mod search_result;
mod surface;
mod surface_entry;
mod surface_exclusion;

// What is allowed.
mod decision_reason;
mod hook;
mod hook_output;
mod input_mutation;
mod permission_decision;
mod permission_profile;
mod suggested_update;

// What happens.
mod cloud_event;
mod event;
mod event_type;
mod execution_profile;
mod invocation;
mod lifecycle;
mod progress;
mod resource_lock;
mod scheduler_facts;
mod scheduler_policy;
mod status;

// What comes of it.
mod artifact_ref;
mod content;
mod error;
mod error_class;
mod resource_ref;
mod result;
mod result_persistence;
mod result_status;
mod retry_after;
mod retry_guidance;
mod terminal;

mod record;
pub mod strict;
pub mod v01;

pub use artifact_ref::ArtifactRef;
pub use cloud_event::CloudEvent;
pub use content::{ContentBlock, ContentClass};
pub use decision_reason::{DecisionReason, ReasonType};
pub use declaration::{ToolDeclaration, ToolKind, ToolLifecycle};
pub use deferred_tool::{DeferredToolRef, LoadingState, SchemaVisibility};
pub use error::{AbortReason, Recoverability, ToolError};
pub use error_class::ErrorClass;
pub use event::ToolEvent;
pub use event_type::EventType;
pub use execution_profile::{ExecutionKind, ToolExecutionProfile};
pub use external_mapping::{MappingSource, ToolExternalMapping};
pub use flag::{Flag, FlagExpression, FlagName};
pub use hook::{HookEvent, ToolHook};
pub use hook_output::{HookOutput, HookOutputKind, HookVerdict};
pub use input_contract::{ArgumentMode, MutationPolicy, MutationRule, ToolInputContract};
pub use input_mutation::{MutationSource, ToolInputMutation};
pub use interface::ToolInterface;
pub use invocation::{StatusTransition, ToolInvocation};
pub use lifecycle::{IllegalTransition, Lifecycle, LifecycleError};
pub use namespace::{NamespaceOrigin, ToolNamespace};
pub use output_contract::ToolOutputContract;
pub use permission_decision::{Behavior, RuleSource, ToolPermissionDecision};
pub use permission_profile::{AccessKind, RiskLevel, ToolPermissionProfile, WriteEffect};
pub use progress::{ProgressStatus, ToolProgress};
pub use record::{Record, RecordKind, SCHEMA_VERSION};
pub use resource_lock::{LockMode, ResourceLock};
pub use resource_ref::ResourceRef;
pub use result::{MutationNote, ToolResult};
pub use result_persistence::{
    InlineThreshold, PersistedRef, PersistenceStrategy, ToolResultPersistence,
};
pub use result_status::ResultStatus;
pub use retry_after::RetryAfter;
pub use retry_guidance::RetryGuidance;
pub use scheduler_facts::{QueueState, SchedulerFacts};
pub use scheduler_policy::{
    ContextModifierPolicy, InterruptBehavior, OrderingPolicy, SiblingFailurePolicy,
    ToolSchedulerPolicy, YieldPolicy,
};
pub use search_result::{QueryType, ScoredMatch, SearchMatch, ToolSearchResult};
pub use status::{InvocationStatus, TerminalStatus};
pub use suggested_update::{DirectoriesUpdate, ModeUpdate, RulesUpdate, SuggestedUpdate};
pub use surface::{SurfaceScope, ToolSurface};
pub use surface_entry::SurfaceEntry;
pub use surface_exclusion::{ExclusionReason, SurfaceExclusion};
pub use terminal::{Abort, AbortOutcome, Cause, Delivery, Terminal, terminal};
