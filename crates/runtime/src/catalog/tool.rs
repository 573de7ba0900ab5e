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

/// How long a call may take if its tool does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

/// What a producer registers.
#[derive(Clone, Debug)]
pub struct ToolDefinition {
    /// What the tool is.
    pub declaration: ToolDeclaration,
    /// How its runtime behaves.
    pub interface: ToolInterface,
    /// How it is executed.
    pub execution: ToolExecutionProfile,
    /// What it touches.
    pub permission: ToolPermissionProfile,
    /// What it must not use at the same time as other calls.
    pub locks: Vec<ResourceLock>,
    /// What becomes of its results.
    pub persistence: PersistencePolicy,
    /// Where it comes from.
    pub provider: Option<ProviderId>,
    /// Whether the producer's hints may lower the risk. Only for tools of the host itself.
    pub trusted: bool,
}

/// A tool that can be called. It never changes; a new definition is a new tool under the same id.
pub struct Tool {
    /// Its id, stable for its producer.
    pub id: Arc<ToolId>,
    /// The boundary of its name.
    pub namespace: Namespace,
    /// The name it is called by.
    pub name: CallableName,
    /// Older names.
    pub aliases: Vec<CallableName>,
    /// SHA-256 over everything that its producer said about it.
    pub digest: Digest,
    /// What was registered, without its schemas: those of a large catalog are kept as texts, see
    /// [`Tool::model_schema`].
    pub definition: Arc<ToolDefinition>,
    /// Whether it is safe, for which input.
    pub safety: Safety,
    /// What has to be there for it to be offered.
    pub needs: Needs,
    /// Fields that only hooks and prompts may fill in.
    pub internal_fields: Vec<String>,
    /// Fields whose values are never shown.
    pub sensitive: SensitiveFields,
    /// Values for what the caller leaves out.
    pub defaults: Option<Json>,
    /// Whether hooks may change the input.
    pub hooks_may_change: MutationRule,
    /// Whether people may change the input.
    pub prompts_may_change: MutationRule,
    /// How long a call may take.
    pub timeout: Duration,
    /// What an interruption does to a call, if the tool says so.
    pub interrupt: Option<InterruptBehavior>,
    /// Native names and ids.
    pub mappings: Vec<ToolExternalMapping>,
    /// The names under which its credentials can be fetched.
    pub credentials: Arc<[String]>,
    /// Who carries it out.
    pub executor: Arc<dyn Executor>,
    pub(super) texts: SchemaTexts,
    /// Another definition has taken its place, or it was taken out.
    pub(super) is_replaced: AtomicBool,
    /// Its namespace and its name; made for the first call.
    pub(super) qualified: OnceLock<Box<str>>,
    /// Compiled when first needed: most tools of a large catalog are never called.
    pub(super) schemas: OnceLock<Result<Box<Schemas>, UnusableSchema>>,
}

/// The compiled schemas of a tool.
#[derive(Debug)]
pub struct Schemas {
    /// What the model may write.
    pub model: InputSchema,
    /// What the executor is given, internal fields included; none if it is the same.
    pub runtime: Option<InputSchema>,
    /// What structured results look like, if the tool says so.
    pub output: Option<InputSchema>,
}

impl Tool {
    /// The compiled schemas; the first call compiles them.
    ///
    /// # Errors
    /// If one cannot be compiled although nothing was wrong with it at registration.
    pub fn schemas(&self) -> Result<&Schemas, &UnusableSchema> {
        self.schemas.get_or_init(|| self.texts.compile().map(Box::new)).as_deref()
    }

    /// The name that is shown to people.
    #[must_use]
    pub fn title(&self) -> &str {
        self.definition.declaration.title.as_deref().unwrap_or(self.name.as_str())
    }

    /// What the model may write, as JSON: what a caller gets to see when the tool is loaded. None if
    /// the arguments are not structured.
    #[must_use]
    pub fn model_schema(&self) -> Option<&str> {
        self.texts.model.as_deref()
    }

    /// What the executor is given, as JSON. No caller gets to see it.
    #[must_use]
    pub fn runtime_schema(&self) -> Option<&str> {
        self.texts.runtime.as_deref()
    }

    /// What structured results look like, as JSON.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.texts.output.as_deref()
    }

    /// Whether a model that can be held to a schema must be held to this tool's. If the tool does not
    /// say so, it must, as long as there is a schema.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.stated_strict().unwrap_or_else(|| self.model_schema().is_some())
    }

    /// Whether the producer says that a model must be held to the schema.
    pub(crate) fn stated_strict(&self) -> Option<bool> {
        let contract = self.definition.declaration.input_contract.as_ref();
        let stated = contract.and_then(|contract| contract.typed()?.strict);
        stated.or(self.definition.interface.strict)
    }

    /// The operation behind it, as its own protocol names it.
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

    /// How sensitive what it touches is.
    #[must_use]
    pub fn sensitivity(&self) -> Option<Arc<str>> {
        self.definition.permission.data_sensitivity.as_deref().map(Arc::from)
    }

    /// Whether no other definition has taken its place and it was not taken out.
    #[must_use]
    pub fn is_current(&self) -> bool {
        !self.is_replaced.load(Ordering::Acquire)
    }

    pub(super) fn replaced(&self) {
        self.is_replaced.store(true, Ordering::Release);
    }

    /// Words by which it is found.
    #[must_use]
    pub fn search_hint(&self) -> Option<&str> {
        let declared = self.definition.declaration.search_hint.as_deref();
        declared.or(self.definition.interface.search_hint.as_deref())
    }

    /// The name that leads to no other tool, whatever else is registered.
    #[must_use]
    pub fn qualified_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// The same, kept for the next call.
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
