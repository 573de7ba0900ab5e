//! Our rules and the validator agree, on random schemas and on inputs that are easy to get wrong.

use std::cell::Cell;

use assent_schema::InputSchema;
use proptest::{
    collection::{btree_map, vec},
    prelude::*,
    sample::select,
    strategy::Union,
    test_runner::TestRunner,
};
use serde_json::{Value, json};

use crate::random_schemas::{instance, keyword};

const CASES: u32 = 12_000;

/// The text of a value, so that numbers and strings are written in more than one way.
fn text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        select(SCALARS.to_vec()).prop_map(str::to_owned),
        instance().prop_map(|value| value.to_string()),
    ];
    scalar.prop_recursive(3, 24, 5, |inner| {
        let name = select(vec!["a", "b", "c", "ab", "x1", "\\u0061b", "é", ""]);
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            btree_map(name, inner, 0..5).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

const SCALARS: [&str; 37] = [
    "0",
    "-0",
    "0.0",
    "1",
    "1.0",
    "1e0",
    "10e-1",
    "-1",
    "2",
    "3",
    "0.1",
    "0.3",
    "0.30000000000000004",
    "0.75",
    "1e2",
    "100",
    "4294967295",
    "9999999999",
    "10000000000",
    "123456789012345",
    "9007199254740991",
    "9007199254740992",
    "9007199254740994",
    "9223372036854775808",
    "1e18",
    "1e19",
    "18446744073709552000",
    "1e20",
    "-1e20",
    "1e21",
    "1e300",
    "5e-324",
    r#""😀""#,
    r#""e\u0301""#,
    r#""\u0061""#,
    r#""ab\n""#,
    r#""a b""#,
];

/// Keywords with values that are easy to get wrong.
fn awkward(inner: BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let number = select(vec![
        json!(0),
        json!(-0.0),
        json!(1),
        json!(1.0),
        json!(0.1),
        json!(0.3),
        json!(-1.5),
        json!(3),
        json!(1e2),
        json!(9_007_199_254_740_992_u64),
        json!(9_007_199_254_740_993_u64),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e18),
        json!(1e19),
        json!(1e20),
        json!(-1e20),
        json!(1e300),
        json!(5e-324),
    ]);
    let divisor = select(vec![
        json!(1),
        json!(1.0),
        json!(3),
        json!(7),
        json!(0.1),
        json!(0.01),
        json!(0.25),
        json!(1e-7),
        json!(1e20),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
    ]);
    let option = select(vec![
        json!(1),
        json!(1.0),
        json!(0),
        json!(-0.0),
        json!(1e20),
        json!(u64::MAX),
        json!([1, 1.0]),
        json!([]),
        json!({"a": 1}),
        json!({"a": [1.0], "b": {"c": 0}}),
        json!({}),
        json!("ab"),
        json!("é"),
        json!("😀"),
    ]);
    let pattern = select(vec!["^a", "^ab$", "^(a|b|é)$", "^\\S*$", "^.$", "[^a]", "^\\w+$", "\\."]);
    let bound = select(vec![json!(0), json!(1), json!(2), json!(3), json!(5)]);
    let recursive = Just(json!({"$ref": "#"}));
    let named = |name: &str, value: BoxedStrategy<Value>| {
        let name = name.to_owned();
        value.prop_map(move |value| (name.clone(), value)).boxed()
    };
    let mut all = Vec::new();
    for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
        all.push(named(name, number.clone().boxed()));
    }
    for name in
        ["minLength", "maxLength", "minContains", "maxContains", "minItems", "maxProperties"]
    {
        all.push(named(name, bound.clone().boxed()));
    }
    for name in
        ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains"]
    {
        all.push(named(name, prop_oneof![recursive.clone().boxed(), inner.clone()].boxed()));
    }
    all.push(named("multipleOf", divisor.boxed()));
    all.push(named("const", option.clone().boxed()));
    all.push(named("enum", vec(option, 1..4).prop_map(Value::from).boxed()));
    all.push(named("uniqueItems", Just(json!(true)).boxed()));
    all.push(named("pattern", pattern.clone().prop_map(Value::from).boxed()));
    all.push(named("$dynamicRef", Just(json!("#/$defs/d")).boxed()));
    let patterns = btree_map(pattern.prop_map(str::to_owned), inner.clone(), 1..3);
    all.push(named("patternProperties", patterns.prop_map(|map| json!(map)).boxed()));
    let alternatives =
        vec(prop_oneof![recursive.prop_map(|item| json!({"items": item})).boxed(), inner], 1..4);
    all.push(named("oneOf", alternatives.prop_map(Value::from).boxed()));
    Union::new(all).boxed()
}

fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![6 => Just(json!({})), 1 => Just(json!(true)), 2 => Just(json!(false))];
    let schema = leaf.prop_recursive(4, 32, 5, |inner| {
        let one = prop_oneof![keyword(inner.clone().boxed()), awkward(inner.boxed())];
        vec(one, 0..5).prop_map(|keywords| Value::Object(keywords.into_iter().collect()))
    });
    (schema.clone(), schema)
        .prop_map(|(mut schema, definition)| {
            if let Value::Object(keywords) = &mut schema {
                keywords.insert("$defs".into(), json!({"d": definition}));
            }
            schema
        })
        .boxed()
}

#[test]
fn our_verdict_is_that_of_the_validator() {
    let configuration = ProptestConfig { cases: CASES, ..ProptestConfig::default() };
    let (usable, accepted, refused) = (Cell::new(0_u32), Cell::new(0_u32), Cell::new(0_u32));
    TestRunner::new(configuration)
        .run(&(schema(), vec(text(), 12)), |(schema, texts)| {
            let Ok(compiled) = InputSchema::compile(&schema) else { return Ok(()) };
            usable.set(usable.get() + 1);
            for text in &texts {
                let Ok(document) = assent_json::read(text.as_bytes()) else { continue };
                let reasons = compiled.violations(document.root());
                prop_assert_eq!(compiled.accepts(document.root()), reasons.is_empty(), "{}", text);
                match compiled.check(document.root()) {
                    Ok(()) => prop_assert!(reasons.is_empty(), "{} {:?}", text, reasons),
                    Err(reason) => {
                        let same = reasons.iter().any(|other| {
                            // The validator calls a closed object without fields `false`.
                            let same_keyword =
                                other.keyword == reason.keyword || other.keyword == "falseSchema";
                            other.path == reason.path && same_keyword
                        });
                        prop_assert!(same, "{} {:?} {:?}", text, reason, reasons);
                    }
                }
                let count = if reasons.is_empty() { &accepted } else { &refused };
                count.set(count.get() + 1);
            }
            Ok(())
        })
        .unwrap();
    let (usable, accepted, refused) = (usable.get(), accepted.get(), refused.get());
    println!("{usable} schemas, {accepted} inputs accepted, {refused} refused");
    assert!(
        usable >= 10_000 && accepted >= 20_000 && refused >= 20_000,
        "too few to mean anything"
    );
}

/// More members and items than a word has bits, and more names than fit into one.
#[test]
fn large_objects_and_arrays_are_decided_alike() {
    let names: Vec<String> = (0..70).map(|n| format!("name{n}")).collect();
    let object = |count: usize| -> Value {
        Value::Object(names.iter().take(count).map(|name| (name.clone(), json!(1))).collect())
    };
    let properties: Value = names.iter().map(|name| (name.clone(), json!(true))).collect();
    let items = |count: usize| json!(vec![1; count]);
    let schemas = [
        json!({"required": names}),
        json!({"dependentRequired": {"name0": names}}),
        json!({"oneOf": names.iter().map(|name| json!({"required": [name]})).collect::<Value>()}),
        json!({"anyOf": names.iter().rev().map(|n| json!({"required": [n]})).collect::<Value>()}),
        json!({"anyOf": [{"properties": properties}], "unevaluatedProperties": false}),
        json!({"anyOf": [{"prefixItems": vec![true; 66]}], "unevaluatedItems": false}),
        json!({"contains": {"const": 1}, "maxContains": 66, "unevaluatedItems": false}),
    ];
    for schema in schemas {
        let compiled = InputSchema::compile(&schema).unwrap();
        for count in [0, 1, 63, 64, 65, 66, 67, 69, 70] {
            for value in [object(count), items(count)] {
                let text = value.to_string();
                let document = assent_json::read(text.as_bytes()).unwrap();
                let expected = compiled.violations(document.root()).is_empty();
                assert_eq!(compiled.accepts(document.root()), expected, "{schema} {count}");
                assert_eq!(compiled.check(document.root()).is_ok(), expected, "{schema} {count}");
            }
        }
    }
}

#[test]
fn the_names_that_nothing_looks_at_are_listed() {
    let schema = InputSchema::compile(&json!({
        "properties": {"a": true},
        "if": {"required": ["b"]},
        "then": {"properties": {"b": true}},
        "unevaluatedProperties": {"type": "string"}
    }))
    .unwrap();
    let told = |text: &str| {
        let document = assent_json::read(text.as_bytes()).unwrap();
        schema.check(document.root()).map_err(|violation| violation.to_string())
    };
    assert_eq!(told(r#"{"a": 1, "b": 2, "c": "text"}"#), Ok(()));
    assert_eq!(
        told(r#"{"d/e": 1, "a": 1, "c": "text", "\n": 2}"#),
        Err("the input: unknown fields `d/e`, `\\n`".into())
    );
}

#[test]
fn a_number_beyond_all_doubles_does_not_get_as_far_as_a_schema() {
    for text in ["1e400", "-1e400", "[1e309]"] {
        assert!(assent_json::read(text.as_bytes()).is_err(), "{text}");
    }
}
