//! The input schema of a tool: compiled once, used for every call.

use std::sync::OnceLock;

use assent_json::Node;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use crate::{
    SchemaProblem, SchemaProblemKind, Violation,
    inspect::{CompileBudget, inspect},
    pattern::PATTERN_BYTES,
    representation::{Instance, OnTape},
    rules::Rules,
};

/// A compiled schema that says which inputs a tool accepts.
///
/// ```
/// use assent_schema::InputSchema;
/// use serde_json::json;
///
/// let schema = InputSchema::compile(&json!({
///     "type": "object",
///     "properties": {"path": {"type": "string"}},
///     "required": ["path"],
///     "additionalProperties": false
/// })).unwrap();
///
/// let input = assent_json::read(br#"{"path": 7}"#).unwrap();
/// let violation = schema.check(input.root()).unwrap_err();
/// assert_eq!(violation.to_string(), "/path: must be of type string");
/// ```
#[derive(Debug)]
pub struct InputSchema {
    validator: Validator<OnTape>,
    schema: Value,
    /// Made for the first input; none if the schema is not understood completely.
    rules: OnceLock<Option<Rules>>,
}

impl InputSchema {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// All the problems that make the schema unusable.
    pub fn compile(schema: &Value) -> Result<Self, Vec<SchemaProblem>> {
        let problems = inspect(schema, &mut CompileBudget::default());
        if !problems.is_empty() {
            return Err(problems);
        }
        Self::compile_inspected(schema.clone()).map_err(|problem| vec![problem])
    }

    /// Compiles what [`inspect`] found nothing wrong with.
    pub(crate) fn compile_inspected(schema: Value) -> Result<Self, SchemaProblem> {
        let validator = options::<OnTape>().build(&schema).map_err(|error| {
            SchemaProblem::new(
                SchemaProblemKind::Invalid,
                assent_json::Pointer::root(),
                crate::violation::explain(&error),
            )
        })?;
        Ok(Self { validator, schema, rules: OnceLock::new() })
    }

    /// True if the tool accepts `input`.
    #[must_use]
    pub fn accepts(&self, input: Node<'_>) -> bool {
        let verdict = self.rules().and_then(|rules| rules.accepts(input));
        verdict.unwrap_or_else(|| self.validator_accepts(input))
    }

    /// As [`Self::accepts`], by the validator alone: an opinion that is independent of our rules.
    pub(crate) fn validator_accepts(&self, input: Node<'_>) -> bool {
        self.validator.is_valid(Instance::Value(input))
    }

    /// Checks an input and says what is wrong with it first.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check(&self, input: Node<'_>) -> Result<(), Violation<'_>> {
        if let Some(verdict) = self.rules().and_then(|rules| rules.check(input)) {
            return verdict;
        }
        // Nearly all inputs are good, and saying yes is much cheaper than looking for a reason.
        if self.validator_accepts(input) {
            return Ok(());
        }
        self.validator.validate(Instance::Value(input)).map_err(|error| Violation::of(&error))
    }

    /// The rules of the schema, if all of it is understood.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.rules.get_or_init(|| Rules::of(&self.schema)).as_ref()
    }

    /// Everything that is wrong with an input, according to the validator.
    #[must_use]
    pub fn violations(&self, input: Node<'_>) -> Vec<Violation<'static>> {
        let errors = self.validator.iter_errors(Instance::Value(input));
        errors.map(|error| Violation::of(&error)).collect()
    }
}

/// How every schema in the system is understood: one draft, formats asserted, patterns in linear
/// time, and nothing ever fetched. The crate is built without its file and network loaders; an
/// offline retriever says so a second time.
pub(crate) fn options<F: jsonschema::json::Json>()
-> jsonschema::ValidationOptions<'static, std::sync::Arc<dyn jsonschema::Retrieve>, F> {
    let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    jsonschema::options_for::<F>()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_pattern_options(patterns)
        .offline()
}
