//! A tool as its producer describes it, and as the runtime uses it.

use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use assent_ids::{CallableName, Namespace, ProviderId, ToolId};
use assent_json::{Digest, Json};
use assent_protocol::agent_tool::{
    InterruptBehavior, MutationRule, ResourceLock, ToolDeclaration, ToolExecutionProfile,
    ToolExternalMapping, ToolInterface, ToolPermissionProfile,
};
use assent_schema::InputSchema;

use super::{
    Needs, Safety,
    schema_texts::{SchemaTexts, UnusableSchema},
    sensitive::SensitiveFields,
};
use crate::{executor::Executor, results::PersistencePolicy};

/// The default timeout of a call.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

/// The definition of a tool, as its producer registers it.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// The declaration: what the tool is.
    pub declaration: ToolDeclaration,
    /// The interface: how the tool behaves.
    pub interface: ToolInterface,
    /// The execution profile: how the tool is executed.
    pub execution: ToolExecutionProfile,
    /// The permission profile: what the tool touches.
    pub permission: ToolPermissionProfile,
    /// The resources that every call of the tool locks.
    pub locks: Vec<ResourceLock>,
    /// What happens to the results.
    pub persistence: PersistencePolicy,
    /// The provider of the tool.
    pub provider: Option<ProviderId>,
    /// Whether the hints of the producer may lower the risk; only for tools of the host itself.
    pub trusted: bool,
}

/// A tool that can be called. It never changes; a new definition is a new tool under the same id.
pub struct Tool {
    /// The id, which its producer keeps stable.
    pub id: Arc<ToolId>,
    /// The namespace of its names.
    pub namespace: Namespace,
    /// The primary name.
    pub name: CallableName,
    /// The aliases.
    pub aliases: Vec<CallableName>,
    /// The SHA-256 of the definition.
    pub digest: Digest,
    /// The definition without its schemas, which are kept as texts, see [`Tool::model_schema`].
    pub definition: Arc<ToolDefinition>,
    /// How the safety of a call is determined.
    pub safety: Safety,
    /// The requirements for offering it.
    pub needs: Needs,
    /// Fields that only hooks and prompts may fill in.
    pub internal_fields: Vec<String>,
    /// Fields whose values are never shown.
    pub sensitive: SensitiveFields,
    /// The default values of arguments.
    pub defaults: Option<Json>,
    /// Whether hooks may change the input.
    pub hooks_may_change: MutationRule,
    /// Whether people may change the input.
    pub prompts_may_change: MutationRule,
    /// The timeout of a call.
    pub timeout: Duration,
    /// What an interruption does to a call, if the tool states it.
    pub interrupt: Option<InterruptBehavior>,
    /// Native names and ids.
    pub mappings: Vec<ToolExternalMapping>,
    /// The names under which its credentials can be fetched.
    pub credentials: Arc<[String]>,
    /// The executor.
    pub executor: Arc<dyn Executor>,
    pub(super) texts: SchemaTexts,
    /// It was replaced by another definition, or removed.
    pub(super) is_replaced: AtomicBool,
    /// `namespace/name`, made when it is first used.
    pub(super) qualified: OnceLock<Box<str>>,
    /// Compiled when first used: most tools of a large catalog are never called.
    pub(super) schemas: OnceLock<Result<Box<Schemas>, UnusableSchema>>,
}

/// The compiled schemas of a tool.
#[derive(Debug)]
pub struct Schemas {
    /// The schema of the model's input.
    pub model: InputSchema,
    /// The schema of the executor's input, with internal fields; `None` if it is the same.
    pub runtime: Option<InputSchema>,
    /// The schema of structured results, if the tool states one.
    pub output: Option<InputSchema>,
}

impl Tool {
    /// The compiled schemas; the first call compiles them.
    ///
    /// # Errors
    /// If a schema cannot be compiled although it passed the checks of registration.
    pub fn schemas(&self) -> Result<&Schemas, &UnusableSchema> {
        self.schemas.get_or_init(|| self.texts.compile().map(Box::new)).as_deref()
    }

    /// The name that is shown to people.
    #[must_use]
    pub fn title(&self) -> &str {
        self.definition.declaration.title.as_deref().unwrap_or(self.name.as_str())
    }

    /// The schema of the model's input as JSON, which a caller gets when the tool is loaded; `None` if the
    /// arguments are not structured.
    #[must_use]
    pub fn model_schema(&self) -> Option<&str> {
        self.texts.model.as_deref()
    }

    /// The schema of the executor's input as JSON, which callers do not get.
    #[must_use]
    pub fn runtime_schema(&self) -> Option<&str> {
        self.texts.runtime.as_deref()
    }

    /// The schema of structured results as JSON.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.texts.output.as_deref()
    }

    /// Returns `true` if a model must follow the schema strictly, if it is able to. By default it must if there
    /// is a schema.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.stated_strict().unwrap_or_else(|| self.model_schema().is_some())
    }

    /// Whether the producer states that a model must follow the schema strictly.
    pub(crate) fn stated_strict(&self) -> Option<bool> {
        let contract = self.definition.declaration.input_contract.as_ref();
        let stated = contract.and_then(|contract| contract.typed()?.strict);
        stated.or(self.definition.interface.strict)
    }

    /// The name of the operation in the native protocol.
    #[must_use]
    pub fn operation(&self) -> Option<&str> {
        let names = ["operation_id", "tool_name", "function_name", "command_id", "agent_skill_id"];
        let native = |name: &&str| self.mappings.iter().find_map(|mapping| mapping.native(name));
        names.iter().find_map(native).and_then(|value| value.as_str())
    }

    /// The scope under which it is used.
    #[must_use]
    pub fn scope(&self) -> Option<Arc<str>> {
        self.definition.permission.tenant_scope.as_deref().map(Arc::from)
    }

    /// The sensitivity of the data that it touches.
    #[must_use]
    pub fn sensitivity(&self) -> Option<Arc<str>> {
        self.definition.permission.data_sensitivity.as_deref().map(Arc::from)
    }

    /// Returns `true` if the tool was neither replaced nor removed.
    #[must_use]
    pub fn is_current(&self) -> bool {
        !self.is_replaced.load(Ordering::Acquire)
    }

    pub(super) fn replaced(&self) {
        self.is_replaced.store(true, Ordering::Release);
    }

    /// Additional words for searching.
    #[must_use]
    pub fn search_hint(&self) -> Option<&str> {
        let declared = self.definition.declaration.search_hint.as_deref();
        declared.or(self.definition.interface.search_hint.as_deref())
    }

    /// The unique name, `namespace/name`.
    #[must_use]
    pub fn qualified_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// The same, made once.
    pub(crate) fn qualified(&self) -> &str {
        self.qualified.get_or_init(|| self.qualified_name().into())
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tool = f.debug_struct("Tool");
        tool.field("id", &self.id).field("name", &self.name).field("digest", &self.digest);
        tool.finish_non_exhaustive()
    }
}
