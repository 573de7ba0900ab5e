//! Making a tool from a definition. All problems are reported at once, and recommendations as well.

mod digest;
mod findings;
mod lints;
mod neighbours;
mod records;
mod schemas;

use std::{
    sync::{Arc, OnceLock, atomic::AtomicBool},
    time::Duration,
};

use assent_ids::{CallableName, Lax, Namespace, ToolId};
use assent_json::Json;
use assent_protocol::agent_tool::{MutationRule, ToolExternalMapping, ToolInputContract};

pub(super) use findings::Findings;
pub use findings::{Lint, RegistrationError, RegistrationProblem};

use super::{
    DEFAULT_TIMEOUT, Directory, Needs, Safety, SensitiveFields, Tool, ToolDefinition,
    confusable::Skeletons, needs,
};
use crate::executor::Executor;

/// The default for changes of the input: only internal fields may be changed.
const DEFAULT_MUTATION: MutationRule = MutationRule::InternalOnly;

/// Checks a definition and makes the tool of it.
pub(super) fn admit(
    mut definition: ToolDefinition,
    executor: Arc<dyn Executor>,
    others: &Directory,
    skeletons: &Skeletons,
) -> Result<(Tool, Vec<Lint>), RegistrationError> {
    let mut findings = Findings::default();
    records::check(&definition, &mut findings);
    let identity = Identity::of(&definition, &mut findings);
    if let Some(identity) = &identity {
        neighbours::check(&definition, identity, others, &mut findings);
        neighbours::check_confusable(identity, others, skeletons, &mut findings);
    }
    let digest = digest::of(&definition, &mut findings);
    let safety = Safety::of(&definition, &mut findings);
    let needs = Needs::of(&definition.interface, &mut findings);
    let credentials = credentials(&definition, &mut findings);
    let defaults = defaults(&definition, &mut findings);
    let schemas = schemas::take(&mut definition, &mut findings);
    lints::check(&definition, &schemas, &mut findings);

    let id = definition.declaration.tool_id.as_str();
    let lints = findings.verdict(id)?;
    let (Some(identity), Some(digest)) = (identity, digest) else {
        // If either is absent there was a problem, which was returned above.
        return Err(RegistrationError::nameless(id));
    };
    let contract = contract(&definition);
    let sensitive = contract.and_then(|contract| contract.sensitive_fields.as_ref());
    let policy = contract.and_then(|contract| contract.mutation_policy.as_ref()?.typed());
    let tool = Tool {
        id: Arc::new(identity.id),
        namespace: identity.namespace,
        name: identity.name,
        aliases: identity.aliases,
        digest,
        safety,
        needs,
        internal_fields: schemas.internal_fields,
        sensitive: SensitiveFields::new(sensitive.into_iter().flatten().map(String::as_str)),
        defaults,
        hooks_may_change: policy.and_then(|policy| policy.hooks).unwrap_or(DEFAULT_MUTATION),
        prompts_may_change: policy.and_then(|policy| policy.prompts).unwrap_or(DEFAULT_MUTATION),
        timeout: timeout(&definition),
        interrupt: definition
            .interface
            .interrupt_behavior
            .as_ref()
            .and_then(|b| b.typed().copied()),
        mappings: mappings(&definition),
        credentials: credentials.into(),
        executor,
        texts: schemas.texts,
        is_replaced: AtomicBool::new(false),
        qualified: OnceLock::new(),
        schemas: OnceLock::new(),
        definition: Arc::new(definition),
    };
    Ok((tool, lints))
}

/// The checked names of a tool.
struct Identity {
    id: ToolId,
    namespace: Namespace,
    name: CallableName,
    aliases: Vec<CallableName>,
}

impl Identity {
    /// `None` if one of them is invalid; the check of the records has reported it then.
    fn of(definition: &ToolDefinition, findings: &mut Findings) -> Option<Self> {
        let declaration = &definition.declaration;
        let name = declaration.name.strict().ok()?;
        let declared = declaration.aliases.iter().flatten();
        let stated = declared.chain(definition.interface.aliases.iter().flatten());
        let mut aliases: Vec<CallableName> =
            stated.map(Lax::strict).collect::<Result<_, _>>().ok()?;
        if aliases.contains(&name) {
            findings.lint("/declaration/aliases", "the name itself is no alias");
        }
        aliases.retain(|alias| *alias != name);
        aliases.sort_unstable();
        aliases.dedup();
        let id = declaration.tool_id.strict().ok()?;
        Some(Self { id, namespace: declaration.namespace.strict().ok()?, name, aliases })
    }
}

fn contract(definition: &ToolDefinition) -> Option<&ToolInputContract> {
    definition.declaration.input_contract.as_ref()?.typed()
}

fn timeout(definition: &ToolDefinition) -> Duration {
    definition.execution.timeout_ms.map_or(DEFAULT_TIMEOUT, |millis| millis.duration())
}

fn credentials(definition: &ToolDefinition, findings: &mut Findings) -> Vec<String> {
    let mut names = needs::credentials(&definition.interface, findings);
    names.extend(definition.permission.credential_refs.iter().flatten().cloned());
    names.sort_unstable();
    names.dedup();
    names
}

fn defaults(definition: &ToolDefinition, findings: &mut Findings) -> Option<Json> {
    const FIELD: &str = "/declaration/input_contract/defaults";
    let defaults = contract(definition)?.defaults.as_ref()?;
    if !defaults.is_object() {
        findings.problem(FIELD, "it must be an object");
        return None;
    }
    let read = Json::from_value(defaults);
    read.map_err(|error| findings.problem(FIELD, error.to_string())).ok()
}

/// The native names and ids of all records, each once.
fn mappings(definition: &ToolDefinition) -> Vec<ToolExternalMapping> {
    let declared = definition.declaration.external_mappings.iter().flatten();
    let of_interface = definition.interface.external_mappings.iter().flatten();
    let of_execution = definition.execution.external_mappings.iter().flatten();
    let mut found: Vec<ToolExternalMapping> = Vec::new();
    for mapping in declared.chain(of_interface).chain(of_execution).filter_map(|m| m.typed()) {
        if !found.contains(mapping) {
            found.push(mapping.clone());
        }
    }
    found
}
