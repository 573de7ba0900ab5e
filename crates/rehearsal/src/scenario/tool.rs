//! Scripted tools.

use assent_ids::{CallableName, Namespace};
use assent_json::Pointer;
use assent_policy::Glob;
use assent_protocol::{
    agent_tool::{
        ErrorClass, Flag, MutationRule, PersistenceStrategy, ResourceLock, ToolKind, ToolLifecycle,
    },
    wire::{Millis, Object, Open},
};
use serde_json::Value;

use super::{Pattern, Script};

/// A tool: its declaration and its script.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The name in calls, unique in the namespace.
    pub name: CallableName,
    /// The namespace in which the name is unique.
    pub namespace: Option<Namespace>,
    /// Other names of the tool.
    pub aliases: Vec<CallableName>,
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// Further words to find it by.
    pub search_hint: Option<String>,
    /// The lifecycle, which determines whether it can be offered and called.
    pub lifecycle: Option<ToolLifecycle>,
    /// The kind of tool.
    pub tool_kind: Option<Open<ToolKind>>,
    /// Set if it must be searched before it is loaded.
    pub deferred: bool,
    /// The provider whose connection is pending.
    pub provider_pending: Option<PendingProvider>,
    /// The schema of the model's input. All schemas compile.
    pub input_schema: Option<Value>,
    /// The schema of the executor's input.
    pub runtime_input_schema: Option<Value>,
    /// The schema of the output.
    pub output_schema: Option<Value>,
    /// Fields that a model must not send.
    pub internal_only_fields: Vec<Pointer>,
    /// Fields that telemetry must not show.
    pub sensitive_fields: Vec<Pointer>,
    /// Default values.
    pub defaults: Option<Object>,
    /// Who may change the input.
    pub mutation_policy: MutationPolicy,
    /// The effects of the tool.
    pub safety: Safety,
    /// Resources that it locks.
    pub locks: Vec<ResourceLock>,
    /// The timeout.
    pub timeout: Option<Millis>,
    /// Set if it can be canceled.
    pub supports_cancel: Option<bool>,
    /// How results are stored.
    pub persistence: Persistence,
    /// Native names and ids.
    pub external_mappings: Vec<Object>,
    /// Set if it may run again after a restart.
    pub supports_resume: bool,
    /// Values that it refuses before it runs.
    pub refuse: Vec<Refusal>,
    /// The script.
    pub run: Script,
}

/// The default namespace.
pub(crate) const DEFAULT_NAMESPACE: &str = "rehearsal";

impl Tool {
    /// Returns the namespace, or the default one.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.namespace.as_ref().map_or(DEFAULT_NAMESPACE, Namespace::as_str)
    }

    /// Returns `namespace/name`, which is unique.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.namespace(), self.name)
    }

    /// Returns `true` if `written` is the name or `namespace/name`.
    #[must_use]
    pub fn is_named(&self, written: &str) -> bool {
        let qualified = || written.strip_prefix(self.namespace())?.strip_prefix('/');
        written == self.name.as_str() || qualified() == Some(self.name.as_str())
    }

    /// Returns `true` if `written` is an alias or `namespace/alias`.
    #[must_use]
    pub fn has_alias(&self, written: &str) -> bool {
        let unqualified =
            written.strip_prefix(self.namespace()).and_then(|rest| rest.strip_prefix('/'));
        let mut aliases = self.aliases.iter().map(CallableName::as_str);
        aliases.any(|alias| alias == written || Some(alias) == unqualified)
    }

    /// Returns `true` if the glob matches the name, `namespace/name`, or an alias.
    pub(crate) fn is_matched_by(&self, glob: &Glob) -> bool {
        glob.matches(self.name.as_str())
            || glob.matches(&self.id())
            || self.aliases.iter().any(|alias| glob.matches(alias.as_str()))
    }
}

/// A provider whose connection is pending.
#[derive(Clone, Debug, PartialEq)]
pub enum PendingProvider {
    /// The provider of the tool's namespace.
    OfNamespace,
    /// The provider with this name.
    Named(String),
}

/// Who may change the input after the model wrote it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MutationPolicy {
    /// What hooks may change.
    pub hooks: MutationRule,
    /// What a person may change when asked.
    pub prompts: MutationRule,
}

impl Default for MutationPolicy {
    fn default() -> Self {
        Self { hooks: MutationRule::Allow, prompts: MutationRule::Allow }
    }
}

/// The effects of a tool. A fact that is not given has the cautious value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Safety {
    /// The tool changes nothing.
    pub read_only: Option<Flag>,
    /// The tool may run concurrently.
    pub concurrency_safe: Option<Flag>,
    /// The tool may destroy data.
    pub destructive: Option<Flag>,
    /// The tool interacts with systems that are not known in advance.
    pub open_world: Option<Flag>,
}

/// How results are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Persistence {
    /// The longest result that the model gets in full, in characters.
    pub max_inline_chars: Option<u64>,
    /// What happens to longer results.
    pub strategy: Option<PersistenceStrategy>,
}

/// A value that a tool refuses before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The argument.
    pub path: Pointer,
    /// The pattern that it must not match.
    pub matches: Pattern,
    /// The error class of the refusal.
    pub class: ErrorClass,
}
