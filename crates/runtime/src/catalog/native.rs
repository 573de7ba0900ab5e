//! Definitions of tools that the host implements itself.

use assent_ids::{
    CallableName, ExecutionProfileId, InterfaceId, Namespace, ParseIdError, PermissionProfileId,
    ToolId,
};
use assent_protocol::{
    agent_tool::{
        ExecutionKind, Flag, RiskLevel, ToolDeclaration, ToolExecutionProfile, ToolInputContract,
        ToolInterface, ToolKind, ToolLifecycle, ToolPermissionProfile,
    },
    wire::Loose,
};
use serde_json::Value;

use super::ToolDefinition;
use crate::results::PersistencePolicy;

impl ToolDefinition {
    /// A tool that the host implements itself. It is called `namespace/name`, and its arguments have to match the
    /// JSON Schema `schema`. The `description` of the schema describes the tool; without one, its name does. The tool
    /// counts as one with side effects, so a person is asked if no rule decides; see
    /// [`read_only`](Self::read_only).
    ///
    /// # Errors
    /// If the namespace or the name is not valid. An invalid schema is an error of
    /// [`Catalog::register`](super::Catalog::register).
    pub fn native(namespace: &str, name: &str, schema: Value) -> Result<Self, ParseIdError> {
        let id = format!("{namespace}:{name}");
        let tool: ToolId = id.parse()?;
        let interface: InterfaceId = format!("{id}:interface").parse()?;
        let execution: ExecutionProfileId = format!("{id}:execution").parse()?;
        let permission: PermissionProfileId = format!("{id}:permission").parse()?;
        let description =
            schema.get("description").and_then(Value::as_str).unwrap_or(name).to_owned();
        let mut declaration = ToolDeclaration::new(
            tool.clone(),
            namespace.parse::<Namespace>()?,
            name.parse::<CallableName>()?,
            description,
            ToolLifecycle::Available,
            ToolKind::NativeTool,
        );
        declaration.input_contract = Some(Loose::Typed(ToolInputContract::new(schema)));
        Ok(Self {
            declaration,
            interface: ToolInterface::new(interface, tool),
            execution: ToolExecutionProfile::new(execution, ExecutionKind::EmbeddedRuntime),
            permission: ToolPermissionProfile::new(permission, RiskLevel::Low),
            locks: Vec::new(),
            persistence: PersistencePolicy::default(),
            provider: None,
            trusted: true,
        })
    }

    /// Declares that the tool has no side effects. Its calls are allowed if no rule decides otherwise.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.interface.is_read_only = Some(Flag::Stated(true));
        self
    }
}
