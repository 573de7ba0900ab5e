//! A tool as records of the standard: every fact is stated, including those that its producer left out, with a
//! list of the derived ones.

use assent_ids::Lax;
use assent_journal::Noted;
use assent_protocol::{
    agent_tool::{
        FlagName, InterruptBehavior, PersistenceStrategy, SCHEMA_VERSION, ToolDeclaration,
        ToolExecutionProfile, ToolInputContract, ToolInterface, ToolOutputContract,
        ToolPermissionProfile, WriteEffect,
    },
    wire::{Loose, Millis, Object},
};
use serde_json::Value;

use super::{Tool, schema_texts::tree, shell};

impl Tool {
    /// The four records of the tool, for the journal.
    #[must_use]
    pub fn records(&self) -> Vec<Noted> {
        vec![
            Noted::Declaration(self.declaration()),
            Noted::Interface(self.interface()),
            Noted::ExecutionProfile(self.execution_profile()),
            Noted::PermissionProfile(self.permission_profile()),
        ]
    }

    /// What the tool is.
    #[must_use]
    pub fn declaration(&self) -> ToolDeclaration {
        let definition = &*self.definition;
        let mut record = definition.declaration.clone();
        record.schema_version = SCHEMA_VERSION.into();
        record.aliases = aliases(self);
        record.search_hint = self.search_hint().map(str::to_owned);
        record.interface_ref = Some(definition.interface.interface_id.clone());
        record.execution_profile_ref = Some(definition.execution.execution_profile_id.clone());
        record.permission_profile_ref = Some(definition.permission.permission_profile_id.clone());
        if let Some(contract) = self.input_contract() {
            record.input_contract = Some(Loose::Typed(contract));
        }
        if let Some(contract) = self.output_contract() {
            record.output_contract = Some(Loose::Typed(contract));
        }
        record
    }

    fn input_contract(&self) -> Option<ToolInputContract> {
        let mut contract = match &self.definition.declaration.input_contract {
            Some(Loose::Typed(contract)) => contract.clone(),
            Some(Loose::Raw(_)) => return None,
            None => ToolInputContract::default(),
        };
        contract.model_input_schema = self.model_schema().and_then(tree);
        contract.runtime_input_schema = self.runtime_schema().and_then(tree);
        contract.strict = Some(self.is_strict());
        // The executor gets the real ones.
        contract.defaults.iter_mut().for_each(|defaults| self.sensitive.hide(defaults));
        contract.examples.iter_mut().flatten().for_each(|example| self.sensitive.hide(example));
        if !self.internal_fields.is_empty() {
            contract.internal_only_fields = Some(self.internal_fields.clone());
        }
        Some(contract)
    }

    fn output_contract(&self) -> Option<ToolOutputContract> {
        let schema = self.output_schema().and_then(tree)?;
        let mut contract = match &self.definition.declaration.output_contract {
            Some(Loose::Typed(contract)) => contract.clone(),
            Some(Loose::Raw(_)) => return None,
            None => ToolOutputContract::default(),
        };
        contract.structured_schema = Some(schema);
        Some(contract)
    }

    /// How its runtime behaves, with conservative values for everything that was not stated.
    #[must_use]
    pub fn interface(&self) -> ToolInterface {
        let mut record = self.definition.interface.clone();
        let mut inferred = Vec::new();
        record.schema_version = SCHEMA_VERSION.into();
        record.name = Some(Lax::from(&self.name));
        record.aliases = aliases(self);
        record.search_hint = self.search_hint().map(str::to_owned);
        record.model_input_schema = self.model_schema().and_then(object);
        record.runtime_input_schema = self.runtime_schema().and_then(object);
        record.output_schema = self.output_schema().and_then(object);
        record.execution_profile_ref = Some(self.definition.execution.execution_profile_id.clone());
        record.permission_profile_ref =
            Some(self.definition.permission.permission_profile_id.clone());
        for (fact, flag, is_derived) in self.safety.exported() {
            let place = match fact {
                FlagName::IsEnabled => &mut record.is_enabled,
                FlagName::IsReadOnly => &mut record.is_read_only,
                FlagName::IsConcurrencySafe => &mut record.is_concurrency_safe,
                FlagName::IsDestructive => &mut record.is_destructive,
                FlagName::IsOpenWorld => &mut record.is_open_world,
            };
            *place = flag;
            if is_derived {
                inferred.push(fact.to_string());
            }
        }
        let strict = self.is_strict();
        state(&mut record.strict, strict, "strict", &mut inferred);
        let interaction = &mut record.requires_user_interaction;
        state(interaction, false, "requires_user_interaction", &mut inferred);
        let nothing = Value::String(String::new());
        state(&mut record.classifier_input, nothing, "classifier_input", &mut inferred);
        let interrupt = Loose::Typed(InterruptBehavior::Block);
        state(&mut record.interrupt_behavior, interrupt, "interrupt_behavior", &mut inferred);
        record.inferred_facts = Some(Loose::Typed(inferred));
        record
    }

    /// How it is executed; what is not supported says so.
    #[must_use]
    pub fn execution_profile(&self) -> ToolExecutionProfile {
        let mut record = self.definition.execution.clone();
        record.schema_version = SCHEMA_VERSION.into();
        for support in [
            &mut record.supports_progress,
            &mut record.supports_cancel,
            &mut record.supports_resume,
            &mut record.supports_retries,
            &mut record.supports_partial_results,
            &mut record.supports_background,
            &mut record.supports_artifacts,
            &mut record.supports_context_modifiers,
        ] {
            support.get_or_insert(false);
        }
        record.sandboxed.get_or_insert(record.sandbox_profile.is_some());
        record.timeout_ms = Some(Millis::from(self.timeout));
        // The standard requires these as well, but its schema has no fields for them.
        let strategy = self.definition.persistence.strategy;
        for (support, is_there) in [
            ("supports_timeout", true),
            ("supports_result_persistence", strategy != Some(PersistenceStrategy::NeverPersist)),
            ("supports_credential_delegation", !self.credentials.is_empty()),
            ("supports_offline", false),
        ] {
            record.extra.entry(support.to_owned()).or_insert(Value::Bool(is_there));
        }
        if shell::runs_commands(&self.definition) {
            for fact in shell::FACTS {
                record.extra.entry(fact.to_owned()).or_insert(Value::from(shell::UNSTATED));
            }
        }
        record
    }

    /// What it touches.
    #[must_use]
    pub fn permission_profile(&self) -> ToolPermissionProfile {
        let mut record = self.definition.permission.clone();
        let mut inferred = Vec::new();
        record.schema_version = SCHEMA_VERSION.into();
        state(&mut record.approval_required, false, "approval_required", &mut inferred);
        state(&mut record.redaction_required, false, "redaction_required", &mut inferred);
        if !self.credentials.is_empty() {
            record.credential_refs = Some(self.credentials.to_vec());
        }
        if record.write_effects.is_none() && self.safety.never_writes() {
            let effects = vec![WriteEffect::None.into()];
            state(&mut record.write_effects, effects, "write_effects", &mut inferred);
        }
        let inferred = inferred.into_iter().map(Value::String).collect();
        record.extra.insert("inferred_facts".to_owned(), Value::Array(inferred));
        // The standard requires it, but its schema has no field for it: without an approver, every call that
        // needs an approval is denied.
        record.extra.insert("non_interactive_prompts".to_owned(), Value::from("deny"));
        record
    }
}

/// States a fact and marks it as derived, unless it was stated before.
fn state<T>(fact: &mut Option<T>, value: T, name: &str, inferred: &mut Vec<String>) {
    if fact.is_none() {
        *fact = Some(value);
        inferred.push(name.to_owned());
    }
}

fn aliases(tool: &Tool) -> Option<Vec<Lax<assent_ids::CallableName>>> {
    let aliases: Vec<_> = tool.aliases.iter().map(Lax::from).collect();
    (!aliases.is_empty()).then_some(aliases)
}

/// A schema in the form of an interface, which cannot hold `true` and `false`.
fn object(text: &str) -> Option<Object> {
    match tree(text)? {
        Value::Object(members) => Some(members.into_iter().collect()),
        _ => None,
    }
}
