//! Pairs of manifests that are expensive to compare.

use assent_manifest::Rule;
use serde_json::{Value, json};

use crate::schemas::{self, Schema};

/// Larger manifests are refused.
pub(crate) const MAX_MANIFEST_BYTES: usize = 131_072;

/// What a comparison comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Breaking,
    Compatible,
    /// One of the manifests is not valid.
    Refused,
}

pub(crate) struct Pair {
    pub(crate) name: &'static str,
    build: Box<dyn Fn() -> [Value; 2]>,
    pub(crate) expected: Outcome,
    /// A rule that some change must have.
    pub(crate) rule: Option<Rule>,
}

impl Pair {
    fn new(name: &'static str, schema: Schema, size: usize) -> Self {
        let build = move || [0, 1].map(|version| manifest(vec![schema(size, version)]));
        Self { name, build: Box::new(build), expected: Outcome::Breaking, rule: None }
    }

    /// A pair of manifests that are as large as they may be.
    fn large(name: &'static str, manifest: impl Fn(usize, usize) -> Value + 'static) -> Self {
        let build = move || largest(&|size| [0, 1].map(|version| manifest(size, version)));
        Self { name, build: Box::new(build), expected: Outcome::Breaking, rule: None }
    }

    /// The old manifest and the new one.
    pub(crate) fn manifests(&self) -> [String; 2] {
        (self.build)().map(|manifest| manifest.to_string())
    }

    fn with_rule(self, rule: Rule) -> Self {
        Self { rule: Some(rule), ..self }
    }

    fn refused(self) -> Self {
        Self { expected: Outcome::Refused, ..self }
    }
}

fn manifest(schemas: Vec<Value>) -> Value {
    let tools: Vec<_> = schemas
        .into_iter()
        .enumerate()
        .map(|(index, schema)| {
            json!({
                "name": format!("tool_{index}"),
                "description_i18n_key": "agent.tool",
                "input_schema": schema,
                "permission_scope": "filesystem:read",
                "timeout_ms": 5000
            })
        })
        .collect();
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": tools,
        "permission_scopes": [{
            "id": "filesystem:read", "label_i18n_key": "agent.scope.label", "label_fallback": "Read",
            "description_fallback": "Reads files", "sensitivity": "medium"
        }],
        "capability_flags": {}
    })
}

/// The largest manifests that are not too large.
fn largest(build: &dyn Fn(usize) -> [Value; 2]) -> [Value; 2] {
    let fit = |size: usize| {
        build(size).iter().all(|manifest| manifest.to_string().len() <= MAX_MANIFEST_BYTES)
    };
    let (mut least, mut most) = (1, 1 << 15);
    while most - least > 1 {
        let middle = usize::midpoint(least, most);
        if fit(middle) { least = middle } else { most = middle }
    }
    build(least)
}

/// What was reported, just as large.
pub(crate) fn reported_pairs() -> Vec<Pair> {
    vec![
        Pair::new("6000 options", schemas::enum_of_numbers, 6_000)
            .with_rule(Rule::InputEnumValueRemoved),
        Pair::new("20000 options", schemas::enum_of_numbers, 20_000),
        Pair::new("2000 properties", schemas::properties, 2_000).with_rule(Rule::InputNarrowed),
        Pair::new("2000 closed properties", schemas::closed_properties, 2_000)
            .with_rule(Rule::InputNarrowed),
        Pair::new("2000 renamed properties", schemas::renamed_properties, 2_000)
            .with_rule(Rule::InputNarrowed),
    ]
}

/// Two hundred properties, half of which are widened, with `additionalProperties` at any place.
pub(crate) fn property_pairs() -> Vec<Pair> {
    let names = [
        "200 properties, closed first",
        "200 properties, closed between",
        "200 properties, closed last",
    ];
    names
        .into_iter()
        .enumerate()
        .map(|(place, name)| {
            let schema = move |most: usize| {
                let properties: serde_json::Map<_, _> = (0..200)
                    .map(|n| {
                        let schema = json!({"type": "string", "maxLength": 100 + most * (n % 2)});
                        (format!("p{n}"), schema)
                    })
                    .collect();
                let required: Vec<_> = (0..100).map(|n| format!("p{n}")).collect();
                let mut members = vec![
                    ("type", json!("object")),
                    ("properties", properties.into()),
                    ("required", json!(required)),
                ];
                members.insert([0, 2, 3][place], ("additionalProperties", json!(false)));
                let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(members.collect())
            };
            let build = move || [1, 2].map(|most| manifest(vec![schema(most)]));
            let (expected, rule) = (Outcome::Compatible, Some(Rule::InputWidened));
            Pair { name, build: Box::new(build), expected, rule }
        })
        .collect()
}

/// Manifests as large as they may be.
pub(crate) fn large_pairs() -> Vec<Pair> {
    let large: [(&str, Schema); 37] = [
        ("enum of numbers", schemas::enum_of_numbers),
        ("enum of strings", schemas::enum_of_strings),
        ("enum of objects", schemas::enum_of_objects),
        ("enum of arrays", schemas::enum_of_arrays),
        ("all options replaced", schemas::all_options_replaced),
        ("required", schemas::required),
        ("properties", schemas::properties),
        ("closed properties", schemas::closed_properties),
        ("renamed properties", schemas::renamed_properties),
        ("types of properties", schemas::types_of_properties),
        ("pattern properties", schemas::pattern_properties),
        ("many patterns", schemas::many_patterns),
        ("large patterns", schemas::large_patterns),
        ("alternatives", schemas::alternatives),
        ("exclusive constants", schemas::exclusive_constants),
        ("exclusive types", schemas::exclusive_types),
        ("choices", schemas::choices),
        ("nested alternatives", schemas::nested_alternatives),
        ("conditions", schemas::conditions),
        ("chain of definitions", schemas::chain_of_definitions),
        ("fan of definitions", schemas::fan_of_definitions),
        ("recursive definitions", schemas::recursive_definitions),
        ("unevaluated below references", schemas::unevaluated_below_references),
        ("negated names", schemas::negated_names),
        ("negated members", schemas::negated_members),
        ("names", schemas::names),
        ("dependent names", schemas::dependent_names),
        ("number of members", schemas::number_of_members),
        ("multiples", schemas::multiples),
        ("large multiples", schemas::large_multiples),
        ("places of arrays", schemas::places_of_arrays),
        ("contained", schemas::contained),
        ("different items", schemas::different_items),
        ("large inputs", schemas::large_inputs),
        ("many large inputs", schemas::many_large_inputs),
        ("rather long names", schemas::rather_long_names),
        ("long strings", schemas::long_strings),
    ];
    let refused: [(&str, Schema); 2] =
        [("nested unevaluated", schemas::nested_unevaluated), ("long names", schemas::long_names)];
    let pair = |(name, schema): (&'static str, Schema)| {
        Pair::large(name, move |size, version| manifest(vec![schema(size, version)]))
    };
    let tools = Pair::large("tools", |size, version| {
        manifest(vec![schemas::closed_properties(40, version); size])
    });
    let refused = refused.map(|named| pair(named).refused());
    large
        .map(pair)
        .into_iter()
        .chain(refused)
        .chain([tools.with_rule(Rule::InputNarrowed)])
        .collect()
}
