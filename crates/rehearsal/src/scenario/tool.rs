//! A scripted tool of the catalog.

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

/// A tool: what is declared of it, and what it does when executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The name a model calls it by; unique in its namespace.
    pub name: CallableName,
    /// The boundary within which its name is unique.
    pub namespace: Option<Namespace>,
    /// Other names that lead to it.
    pub aliases: Vec<CallableName>,
    /// A name for people.
    pub title: Option<String>,
    /// When to use it.
    pub description: Option<String>,
    /// Words by which it is found.
    pub search_hint: Option<String>,
    /// Whether it can be offered and called.
    pub lifecycle: Option<ToolLifecycle>,
    /// What kind of thing executes it.
    pub tool_kind: Option<Open<ToolKind>>,
    /// Whether it has to be found before it is loaded.
    pub deferred: bool,
    /// Whose connection is still being made.
    pub provider_pending: Option<PendingProvider>,
    /// What the model may send. This and the other schemas compile.
    pub input_schema: Option<Value>,
    /// What the executor takes.
    pub runtime_input_schema: Option<Value>,
    /// What it gives.
    pub output_schema: Option<Value>,
    /// What a model must not send.
    pub internal_only_fields: Vec<Pointer>,
    /// What telemetry must not show.
    pub sensitive_fields: Vec<Pointer>,
    /// Values that are filled in.
    pub defaults: Option<Object>,
    /// Who may change the input.
    pub mutation_policy: MutationPolicy,
    /// Facts about its effects.
    pub safety: Safety,
    /// What it must not share with other calls.
    pub locks: Vec<ResourceLock>,
    /// How long it may take.
    pub timeout: Option<Millis>,
    /// Whether it can be stopped.
    pub supports_cancel: Option<bool>,
    /// How its results are passed on.
    pub persistence: Persistence,
    /// Native names and ids, unchanged.
    pub external_mappings: Vec<Object>,
    /// Whether it may start again after a restart.
    pub supports_resume: bool,
    /// Values that it refuses before it runs.
    pub refuse: Vec<Refusal>,
    /// What it does.
    pub run: Script,
}

/// The namespace of tools that name none.
pub(crate) const DEFAULT_NAMESPACE: &str = "rehearsal";

impl Tool {
    /// Its namespace, or that of tools that name none.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.namespace.as_ref().map_or(DEFAULT_NAMESPACE, Namespace::as_str)
    }

    /// Its namespace and its name with a slash between: the one name that no other tool has.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.namespace(), self.name)
    }

    /// True if `written` is its name, or its namespace and name with a slash between.
    #[must_use]
    pub fn is_named(&self, written: &str) -> bool {
        let qualified = || written.strip_prefix(self.namespace())?.strip_prefix('/');
        written == self.name.as_str() || qualified() == Some(self.name.as_str())
    }

    /// True if `written` is another name of it, alone or behind its namespace and a slash.
    #[must_use]
    pub fn has_alias(&self, written: &str) -> bool {
        let unqualified =
            written.strip_prefix(self.namespace()).and_then(|rest| rest.strip_prefix('/'));
        let mut aliases = self.aliases.iter().map(CallableName::as_str);
        aliases.any(|alias| alias == written || Some(alias) == unqualified)
    }

    /// True if the glob matches its name, its namespace and name, or another name of it.
    pub(crate) fn is_matched_by(&self, glob: &Glob) -> bool {
        glob.matches(self.name.as_str())
            || glob.matches(&self.id())
            || self.aliases.iter().any(|alias| glob.matches(alias.as_str()))
    }
}

/// Whose connection is still being made.
#[derive(Clone, Debug, PartialEq)]
pub enum PendingProvider {
    /// The provider of the tool's namespace.
    OfNamespace,
    /// This one.
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

/// Facts about the effects of a tool. What is not said counts as the careful value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Safety {
    /// It changes nothing.
    pub read_only: Option<Flag>,
    /// It may run beside other calls.
    pub concurrency_safe: Option<Flag>,
    /// It may destroy something.
    pub destructive: Option<Flag>,
    /// It reaches beyond a closed set of things.
    pub open_world: Option<Flag>,
}

/// How results are passed on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Persistence {
    /// So many characters go to the model as they are.
    pub max_inline_chars: Option<u64>,
    /// What happens to longer ones.
    pub strategy: Option<PersistenceStrategy>,
}

/// A value that a tool refuses before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Which argument.
    pub path: Pointer,
    /// What it must not match.
    pub matches: Pattern,
    /// How the refusal is called.
    pub class: ErrorClass,
}
