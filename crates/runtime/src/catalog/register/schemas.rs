//! The schemas of a definition: found, inspected, freed of internal fields, and kept as texts.

use std::collections::BTreeSet;

use assent_json::Pointer;
use assent_protocol::{
    agent_tool::{ArgumentMode, ToolInputContract},
    wire::{Loose, Object, Open},
};
use assent_schema::{CompileBudget, inspect};
use serde_json::Value;

use super::Findings;
use crate::catalog::{ToolDefinition, internal_fields, schema_texts::SchemaTexts};

/// Where each schema is expected. The interface may repeat it.
const MODEL: &str = "/declaration/input_contract/model_input_schema";
const RUNTIME: &str = "/declaration/input_contract/runtime_input_schema";
const OUTPUT: &str = "/declaration/output_contract/structured_schema";
const INTERNAL: &str = "/declaration/input_contract/internal_only_fields";

/// What a definition says about inputs and outputs.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) texts: SchemaTexts,
    pub(super) internal_fields: Vec<String>,
    /// The properties of the schemas, if the tool says that some of them are sensitive.
    pub(super) properties: BTreeSet<String>,
}

/// Takes the schemas out of a definition.
pub(super) fn take(definition: &mut ToolDefinition, findings: &mut Findings) -> Taken {
    let declaration = &mut definition.declaration;
    let interface = &mut definition.interface;
    let mode = argument_mode(declaration.input_contract.as_ref());
    let internal = listed_fields(declaration.input_contract.as_ref(), findings);
    let contract = declaration.input_contract.as_ref().and_then(Loose::typed);
    let hides = contract.is_some_and(|contract| contract.sensitive_fields.is_some());

    let contract = declaration.input_contract.as_mut().and_then(typed_mut);
    let (of_model, of_runtime) = contract.map_or((None, None), |contract| {
        (contract.model_input_schema.take(), contract.runtime_input_schema.take())
    });
    let output = declaration.output_contract.as_mut().and_then(typed_mut);
    let of_output = output.and_then(|output| output.structured_schema.take());

    let model = one(of_model, interface.model_input_schema.take(), MODEL, findings);
    let runtime = one(of_runtime, interface.runtime_input_schema.take(), RUNTIME, findings);
    let output = one(of_output, interface.output_schema.take(), OUTPUT, findings);
    if model.is_none() && mode == ArgumentMode::Json {
        let message = "structured arguments need a schema, or say with `argument_mode` that they \
                       are not structured";
        findings.problem(MODEL, message);
    }
    let mut budget = CompileBudget::default();
    for (field, schema) in [(MODEL, &model), (RUNTIME, &runtime), (OUTPUT, &output)] {
        for problem in schema.iter().flat_map(|schema| inspect(schema, &mut budget)) {
            findings.problem(format!("{field}{}", problem.pointer), problem.message);
        }
    }
    let mut schemas = Schemas { model, runtime, output };
    let internal_fields = schemas.settle_internal_fields(internal, findings);
    let properties = if hides { schemas.properties() } else { BTreeSet::new() };
    Taken { properties, texts: schemas.into_texts(), internal_fields }
}

struct Schemas {
    model: Option<Value>,
    runtime: Option<Value>,
    output: Option<Value>,
}

impl Schemas {
    /// The fields that are internal by list or by mark. From then on both say the same.
    fn settle_internal_fields(
        &mut self,
        mut fields: BTreeSet<String>,
        findings: &mut Findings,
    ) -> Vec<String> {
        for place in self.runtime.iter().flat_map(marks) {
            match internal_fields::top_level(&place) {
                Some(field) => {
                    fields.insert(field);
                }
                None => findings.problem(
                    format!("{RUNTIME}{place}"),
                    "only top-level properties can be internal",
                ),
            }
        }
        for place in self.model.iter().flat_map(marks) {
            let message = "what a model may write cannot be internal";
            findings.problem(format!("{MODEL}{place}"), message);
        }
        for field in &fields {
            let mention =
                self.model.as_ref().and_then(|schema| internal_fields::mention(schema, field));
            if let Some(place) = mention {
                let message = format!("the model must not learn of the internal field `{field}`");
                findings.problem(format!("{MODEL}{place}"), message);
            }
            let is_described =
                self.runtime.as_mut().map(|schema| internal_fields::mark(schema, field));
            if is_described != Some(true) {
                findings.lint(RUNTIME, format!("nothing describes the internal field `{field}`"));
            }
        }
        fields.into_iter().collect()
    }

    fn properties(&self) -> BTreeSet<String> {
        let schemas = [&self.model, &self.runtime].into_iter().flatten();
        schemas.flat_map(internal_fields::properties).map(str::to_owned).collect()
    }

    fn into_texts(self) -> SchemaTexts {
        let text = |schema: Option<Value>| schema.map(|schema| schema.to_string().into());
        SchemaTexts {
            model: text(self.model),
            runtime: text(self.runtime),
            output: text(self.output),
        }
    }
}

fn marks(schema: &Value) -> Vec<Pointer> {
    internal_fields::marked(schema)
}

/// The schema that declaration and interface agree on. A schema of the interface is an object.
fn one(
    declared: Option<Value>,
    repeated: Option<Object>,
    field: &str,
    findings: &mut Findings,
) -> Option<Value> {
    let repeated = repeated.map(|schema| Value::Object(schema.into_iter().collect()));
    match (declared, repeated) {
        (Some(declared), Some(repeated)) => {
            if declared != repeated {
                findings.problem(field, "the interface has another schema for the same thing");
            }
            Some(declared)
        }
        (declared, repeated) => declared.or(repeated),
    }
}

fn argument_mode(contract: Option<&Loose<ToolInputContract>>) -> ArgumentMode {
    let stated = contract.and_then(|contract| contract.typed()?.argument_mode.as_ref());
    stated.and_then(Open::known).unwrap_or(ArgumentMode::Json)
}

/// The fields that the contract lists as internal, as bare names.
fn listed_fields(
    contract: Option<&Loose<ToolInputContract>>,
    findings: &mut Findings,
) -> BTreeSet<String> {
    let listed = contract.and_then(|contract| contract.typed()?.internal_only_fields.as_ref());
    let mut fields = BTreeSet::new();
    for (at, field) in listed.into_iter().flatten().enumerate() {
        let mut steps = Pointer::tokens(field);
        let name = if field.starts_with('/') { steps.next() } else { Some(field.clone()) };
        match name.filter(|name| !name.is_empty() && steps.next().is_none()) {
            Some(name) => {
                fields.insert(name);
            }
            None => findings
                .problem(format!("{INTERNAL}/{at}"), "only top-level fields can be internal"),
        }
    }
    fields
}

fn typed_mut<T>(value: &mut Loose<T>) -> Option<&mut T> {
    match value {
        Loose::Typed(value) => Some(value),
        Loose::Raw(_) => None,
    }
}
