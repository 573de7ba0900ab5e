//! A look at a schema before it is compiled: everything that a hostile author could make expensive
//! or reach outside with is refused here, and all problems are reported together.

use std::collections::BTreeMap;

use assent_json::Pointer;
use serde_json::{Map, Value};

use crate::{
    SchemaProblem, SchemaProblemKind as Kind,
    keywords::{Place, subschemas},
    pattern,
    references::References,
};

/// A schema may be as long as a whole manifest, and no longer.
pub const MAX_SCHEMA_BYTES: usize = 128 * 1024;

/// So many schemas may look at one and the same value. References that fan out (each definition
/// naming the next one twice) reach it quickly; schemas written for people stay far below.
pub const MAX_SCHEMAS_PER_VALUE: u64 = 10_000;

/// The pointers to all values of a schema may have this many bytes together: problems and edits are
/// reported with their places.
const MAX_PLACE_BYTES: usize = 4 << 20;

/// To find out what is unevaluated, the validator evaluates the schemas for the same value again.
/// Keywords that ask for this inside each other multiply: fifteen take seconds for one small object.
const EVALUATIONS_FOR_UNEVALUATED: u64 = 3;

/// The schemas that are evaluated for one value, each counted as often as it is evaluated. One level
/// of `unevaluatedProperties` or `unevaluatedItems` never exceeds it.
const MAX_EVALUATIONS_PER_VALUE: u64 = EVALUATIONS_FOR_UNEVALUATED * MAX_SCHEMAS_PER_VALUE;

/// All patterns of a manifest together may take this much memory.
const MAX_PATTERN_BYTES: usize = 8 * pattern::PATTERN_BYTES;

/// What compiling may still cost. Shared by the schemas of one manifest, so that many schemas are
/// bounded as one is.
#[derive(Debug)]
pub struct CompileBudget {
    pattern_bytes: usize,
}

impl Default for CompileBudget {
    fn default() -> Self {
        Self { pattern_bytes: MAX_PATTERN_BYTES }
    }
}

/// So deep may schemas that look at one and the same value be nested, references followed. Checking
/// a value goes as deep, for each level of the value.
const MAX_DEPTH_PER_VALUE: usize = 32;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// True if a schema is usable that was put together from the parts of usable ones: its keywords and
/// patterns are known to be good, only its references and its cost are new.
pub(crate) fn is_usable_mixture(schema: &Value) -> bool {
    let references = References::of(schema);
    let mut problems = Vec::new();
    let mut open = vec![(Pointer::root(), schema)];
    while let Some((pointer, schema)) = open.pop() {
        let Value::Object(members) = schema else { continue };
        check_references(members, &pointer, &references, &mut problems);
        open.extend(subschemas(members, &pointer).into_iter().map(|sub| (sub.pointer, sub.schema)));
    }
    problems.is_empty()
        && too_large(schema).is_none()
        && cost_problem(schema, &references).is_none()
}

/// All problems of `schema`, in the order in which they stand.
///
/// Nothing is compiled: this is for someone who only wants to know whether it could be.
#[must_use]
pub fn inspect(schema: &Value, budget: &mut CompileBudget) -> Vec<SchemaProblem> {
    if let Some(problem) = too_large(schema) {
        return vec![problem];
    }
    let mut problems = meta_schema_problems(schema);
    if !problems.is_empty() {
        return problems;
    }
    let references = References::of(schema);
    let mut open = vec![(Pointer::root(), schema)];
    while let Some((pointer, schema)) = open.pop() {
        let Value::Object(members) = schema else { continue };
        check_identity(members, &pointer, &mut problems);
        check_references(members, &pointer, &references, &mut problems);
        check_patterns(members, &pointer, budget, &mut problems);
        let inner = subschemas(members, &pointer);
        open.extend(inner.into_iter().rev().map(|sub| (sub.pointer, sub.schema)));
    }
    if problems.is_empty() {
        problems.extend(cost_problem(schema, &references));
    }
    problems
}

fn too_large(schema: &Value) -> Option<SchemaProblem> {
    let problem = |message| SchemaProblem::new(Kind::TooComplex, Pointer::root(), message);
    if is_deeper_than(assent_json::MAX_DEPTH, schema) {
        return Some(problem(format!(
            "the schema is nested deeper than {}",
            assent_json::MAX_DEPTH
        )));
    }
    if place_bytes(schema) > MAX_PLACE_BYTES {
        let message = "the names of the schema are too long for what is nested below them";
        return Some(problem(message.to_owned()));
    }
    (size(schema) > MAX_SCHEMA_BYTES)
        .then(|| problem(format!("the schema is longer than {MAX_SCHEMA_BYTES} bytes")))
}

/// The bytes of the pointers to all values of the schema.
fn place_bytes(schema: &Value) -> usize {
    let mut bytes = 0_usize;
    let mut open = vec![(0_usize, schema)];
    while let Some((length, value)) = open.pop() {
        bytes = bytes.saturating_add(length);
        match value {
            Value::Array(elements) => open.extend(elements.iter().map(|inner| (length + 6, inner))),
            Value::Object(members) => {
                open.extend(members.iter().map(|(name, inner)| (length + 1 + name.len(), inner)));
            }
            _ => {}
        }
    }
    bytes
}

fn is_deeper_than(limit: usize, schema: &Value) -> bool {
    let mut open = vec![(0_usize, schema)];
    while let Some((depth, value)) = open.pop() {
        match value {
            _ if depth > limit => return true,
            Value::Array(elements) => open.extend(elements.iter().map(|inner| (depth + 1, inner))),
            Value::Object(members) => open.extend(members.values().map(|inner| (depth + 1, inner))),
            _ => {}
        }
    }
    false
}

/// The bytes of the schema when written down.
pub(crate) fn size(schema: &Value) -> usize {
    schema.to_string().len()
}

fn meta_schema_problems(schema: &Value) -> Vec<SchemaProblem> {
    let meta_schema = jsonschema::draft202012::meta::validator();
    // Saying yes is much cheaper than looking for reasons.
    if meta_schema.is_valid(schema) {
        return Vec::new();
    }
    meta_schema
        .iter_errors(schema)
        .map(|error| {
            let place = Pointer::tokens(error.instance_path().as_str());
            let pointer = Pointer::from_tokens(place);
            let message =
                format!("not a Draft 2020-12 schema: {}", crate::violation::explain(&error));
            SchemaProblem::new(Kind::Invalid, pointer, message)
        })
        .collect()
}

/// A schema is one document in one dialect.
fn check_identity(
    schema: &Map<String, Value>,
    pointer: &Pointer,
    problems: &mut Vec<SchemaProblem>,
) {
    if let Some(Value::String(dialect)) = schema.get("$schema")
        && dialect.trim_end_matches('#') != DIALECT
    {
        let message =
            format!("only Draft 2020-12 is supported: remove `$schema` or set it to `{DIALECT}`");
        problems.push(SchemaProblem::new(Kind::Invalid, pointer.key("$schema"), message));
    }
    if schema.contains_key("$id") && *pointer != Pointer::root() {
        let message = "an `$id` inside a schema starts another document; use `$anchor` or `$defs`";
        problems.push(SchemaProblem::new(Kind::RemoteRef, pointer.key("$id"), message));
    }
}

fn check_references(
    schema: &Map<String, Value>,
    pointer: &Pointer,
    references: &References<'_>,
    problems: &mut Vec<SchemaProblem>,
) {
    for keyword in ["$ref", "$dynamicRef"] {
        let Some(Value::String(reference)) = schema.get(keyword) else { continue };
        if !reference.starts_with('#') {
            let message = "only references inside the schema (`#/…` or `#anchor`) are followed; \
                           copy the referred schema into `$defs`";
            problems.push(SchemaProblem::new(Kind::RemoteRef, pointer.key(keyword), message));
        } else if !references.leads_to_schema(reference) {
            let message = "the reference leads to nothing, or to something that is not a schema";
            problems.push(SchemaProblem::new(Kind::Invalid, pointer.key(keyword), message));
        }
    }
}

fn check_patterns(
    schema: &Map<String, Value>,
    pointer: &Pointer,
    budget: &mut CompileBudget,
    problems: &mut Vec<SchemaProblem>,
) {
    let own = schema.get("pattern").and_then(Value::as_str);
    let of_names = schema.get("patternProperties").and_then(Value::as_object);
    let own = own.map(|pattern| (pattern, pointer.key("pattern")));
    let of_names = of_names
        .into_iter()
        .flat_map(Map::keys)
        .map(|pattern| (pattern.as_str(), pointer.key("patternProperties").key(pattern)));
    for (pattern, pointer) in own.into_iter().chain(of_names) {
        if budget.pattern_bytes == 0 {
            // Said once for a schema.
            if !problems.iter().any(|problem| problem.kind == Kind::TooComplex) {
                problems.push(SchemaProblem::new(Kind::TooComplex, pointer, too_many_patterns()));
            }
            return;
        }
        // A pattern that is refused has cost as much as the largest one that is not.
        let checked = pattern::check(pattern);
        let bytes = checked.unwrap_or(pattern::PATTERN_BYTES);
        budget.pattern_bytes = budget.pattern_bytes.saturating_sub(bytes);
        if let Err(problem) = checked {
            let message = problem.message(pattern);
            problems.push(SchemaProblem::new(Kind::UnsafePattern, pointer, message));
        } else if budget.pattern_bytes == 0 {
            problems.push(SchemaProblem::new(Kind::TooComplex, pointer, too_many_patterns()));
        }
    }
}

fn too_many_patterns() -> String {
    format!("the patterns of all schemas together need more than {MAX_PATTERN_BYTES} bytes")
}

/// How many schemas look at the same value, references followed.
#[derive(Clone, Copy)]
enum Cost {
    /// Still being counted: meeting it again means a circle.
    Open,
    Known(Counted),
}

#[derive(Clone, Copy)]
struct Counted {
    schemas: u64,
    /// How often these schemas are evaluated.
    evaluations: u64,
    /// How deep they are nested.
    depth: usize,
}

impl Counted {
    /// Adds what is one level below.
    fn add(&mut self, below: Self) {
        self.schemas = self.schemas.saturating_add(below.schemas);
        self.evaluations = self.evaluations.saturating_add(below.evaluations);
        self.depth = self.depth.max(below.depth + 1);
    }
}

fn has_unevaluated(schema: &Value) -> bool {
    ["unevaluatedProperties", "unevaluatedItems"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
}

fn cost_problem(schema: &Value, references: &References<'_>) -> Option<SchemaProblem> {
    let mut costs = BTreeMap::new();
    let mut open = vec![(Pointer::root(), schema)];
    while let Some((pointer, schema)) = open.pop() {
        if let Err(message) = cost(schema, &pointer, references, &mut costs, 0) {
            return Some(SchemaProblem::new(Kind::TooComplex, pointer, message));
        }
        if let Value::Object(members) = schema {
            open.extend(
                subschemas(members, &pointer).into_iter().map(|sub| (sub.pointer, sub.schema)),
            );
        }
    }
    None
}

fn cost(
    schema: &Value,
    pointer: &Pointer,
    references: &References<'_>,
    costs: &mut BTreeMap<Pointer, Cost>,
    depth: usize,
) -> Result<Counted, String> {
    let too_deep =
        || format!("schemas for the same value are nested deeper than {MAX_DEPTH_PER_VALUE}");
    if depth > MAX_DEPTH_PER_VALUE {
        return Err(too_deep());
    }
    match costs.get(pointer) {
        // What is below was counted on another way, which may have been shorter.
        Some(Cost::Known(known)) if depth + known.depth > MAX_DEPTH_PER_VALUE => {
            return Err(too_deep());
        }
        Some(Cost::Known(known)) => return Ok(*known),
        Some(Cost::Open) => {
            return Err("the schema refers to itself without looking into the value, \
                        so checking it would never end"
                .to_owned());
        }
        None => {}
    }
    costs.insert(pointer.clone(), Cost::Open);
    let mut total = Counted { schemas: 1, evaluations: 1, depth: 0 };
    if let Value::Object(members) = schema {
        for sub in subschemas(members, pointer) {
            if sub.place == Place::Same {
                total.add(cost(sub.schema, &sub.pointer, references, costs, depth + 1)?);
            }
        }
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(Value::String(reference)) = members.get(keyword) else { continue };
            if let Some((target, schema)) = references.resolve(reference) {
                total.add(cost(schema, &target, references, costs, depth + 1)?);
            }
        }
    }
    if has_unevaluated(schema) {
        total.evaluations = total.evaluations.saturating_mul(EVALUATIONS_FOR_UNEVALUATED);
    }
    if total.schemas > MAX_SCHEMAS_PER_VALUE {
        return Err(format!(
            "more than {MAX_SCHEMAS_PER_VALUE} schemas would look at the same value: \
             references multiply"
        ));
    }
    if total.evaluations > MAX_EVALUATIONS_PER_VALUE {
        return Err(format!(
            "one value would be evaluated more than {MAX_EVALUATIONS_PER_VALUE} times: \
             `unevaluatedProperties` or `unevaluatedItems` is nested too deeply"
        ));
    }
    costs.insert(pointer.clone(), Cost::Known(total));
    Ok(total)
}
