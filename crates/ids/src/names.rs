//! Names that producers give. Each is checked once, when it is parsed.

mod tool_id;

use crate::{id_macro::ids, validate};

ids! { name
    /// A tool, stable for its producer. [`ToolId::unresolved`] is for a tool that does not exist.
    ToolId, validate::token, "tool id";
    /// A tool's name in a capability manifest.
    ToolName, validate::tool_name, "tool name";
    /// The name by which a model calls a tool; native names such as `mcp__github__search` are kept.
    CallableName, validate::token, "callable name";
    /// The boundary within which callable names are unique.
    Namespace, validate::ascii_name, "namespace";
    /// A source of tools: an MCP server, an OpenAPI document, a skill.
    ProviderId, validate::token, "provider id";
    /// A permission scope, `area:action`.
    ScopeId, validate::scope_id, "scope id";
    /// The key of a translated text.
    I18nKey, validate::dotted, "text key";
    /// The SHA-256 of a canonical manifest, in hexadecimal.
    ManifestHash, validate::sha256_hex, "manifest hash";

    /// A tool call, as the agent that made it names it.
    CallId, validate::token, "call id";
    /// A tool call, as the protocol it came through names it.
    NativeCallId, validate::token, "native call id";
    /// A message, as its sender names it; the same on every retry.
    ClientMessageId, validate::token, "client message id";

    /// A registered hook.
    HookId, validate::token, "hook id";
    /// A permission rule.
    RuleId, validate::token, "rule id";
    /// A tool interface.
    InterfaceId, validate::token, "interface id";
    /// An execution profile.
    ExecutionProfileId, validate::token, "execution profile id";
    /// A permission profile.
    PermissionProfileId, validate::token, "permission profile id";
    /// A scheduler policy.
    SchedulerPolicyId, validate::token, "scheduler policy id";
    /// A background task of an executor.
    TaskId, validate::token, "task id";
    /// A durable deliverable.
    ArtifactId, validate::token, "artifact id";
}

impl ScopeId {
    /// Prefixes of scopes that only the platform may declare.
    pub const RESERVED_AREAS: [&'static str; 3] = ["assent", "hashee", "system"];

    /// Returns the part before the colon.
    #[must_use]
    pub fn area(&self) -> &str {
        self.as_str().split_once(':').map_or("", |(area, _)| area)
    }

    /// Returns the part after the colon.
    #[must_use]
    pub fn action(&self) -> &str {
        self.as_str().split_once(':').map_or("", |(_, action)| action)
    }

    /// Returns `true` if only the platform may declare the scope.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        Self::RESERVED_AREAS.contains(&self.area())
    }
}
