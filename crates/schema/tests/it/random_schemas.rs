//! For random pairs of schemas: what is said to be lost is lost, and what is said to be kept is kept.

use assent_schema::{CompileBudget, Difference, InputSchema, Verdict, compare, inspect};
use proptest::{prelude::*, sample::select, test_runner::TestRunner};
use serde_json::{Map, Value, json};

/// Values that random schemas have opinions about.
pub(crate) fn instance() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-4_i64..9).prop_map(Value::from),
        select(vec![0.5, 1.5, -2.5, 0.1]).prop_map(Value::from),
        select(vec!["", "a", "b", "ab", "abc", "0", "2026-01-31", "a@b.cd", "é", "aaaa"])
            .prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "ab", "x1"]).prop_map(str::to_owned)
}

fn pattern() -> impl Strategy<Value = Value> {
    select(vec!["^a", "b$", "^[ab]+$", "^$", "a|b", "^.{2,3}$", "\\d", "^a?b?c?$"])
        .prop_map(Value::from)
}

/// One keyword with a value, over the schemas of `inner`.
pub(crate) fn keyword(inner: BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let kind = select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let named = |name: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| (name.to_owned(), value)).boxed()
    };
    let count = (0_u64..4).prop_map(Value::from).boxed();
    let number =
        prop_oneof![(-3_i64..7).prop_map(Value::from), Just(json!(0.5)), Just(json!(2.5))].boxed();
    let list = proptest::collection::vec(inner.clone(), 1..3).prop_map(Value::from).boxed();
    let members = |key: BoxedStrategy<String>| {
        proptest::collection::btree_map(key, inner.clone(), 1..3)
            .prop_map(|members| Value::Object(members.into_iter().collect()))
            .boxed()
    };
    let names = proptest::collection::btree_set(name(), 1..3)
        .prop_map(|names| Value::from(names.into_iter().collect::<Vec<_>>()))
        .boxed();
    let kinds = prop_oneof![
        kind.clone().prop_map(Value::from),
        proptest::collection::btree_set(kind, 1..3)
            .prop_map(|kinds| Value::from(kinds.into_iter().collect::<Vec<_>>())),
    ];
    let pattern_names = pattern().prop_map(|pattern| pattern.as_str().unwrap().to_owned()).boxed();
    let depends = proptest::collection::btree_map(name(), names.clone(), 1..2)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed();
    proptest::strategy::Union::new_weighted(vec![
        (6, named("type", kinds.boxed())),
        (2, named("const", instance().boxed())),
        (
            2,
            named(
                "enum",
                proptest::collection::vec(instance(), 1..4).prop_map(Value::from).boxed(),
            ),
        ),
        (1, named("minimum", number.clone())),
        (1, named("maximum", number.clone())),
        (1, named("exclusiveMinimum", number.clone())),
        (1, named("exclusiveMaximum", number)),
        (1, named("multipleOf", select(vec![json!(1), json!(2), json!(3), json!(0.5)]).boxed())),
        (1, named("minLength", count.clone())),
        (1, named("maxLength", count.clone())),
        (2, named("pattern", pattern().boxed())),
        (
            1,
            named(
                "format",
                select(vec!["date", "email", "uri", "uuid"]).prop_map(Value::from).boxed(),
            ),
        ),
        (1, named("minItems", count.clone())),
        (1, named("maxItems", count.clone())),
        (1, named("uniqueItems", any::<bool>().prop_map(Value::from).boxed())),
        (1, named("prefixItems", list.clone())),
        (1, named("items", inner.clone())),
        (1, named("contains", inner.clone())),
        (1, named("minContains", count.clone())),
        (1, named("maxContains", count.clone())),
        (1, named("unevaluatedItems", inner.clone())),
        (4, named("properties", members(name().boxed()))),
        (1, named("patternProperties", members(pattern_names))),
        (3, named("additionalProperties", inner.clone())),
        (1, named("unevaluatedProperties", inner.clone())),
        (3, named("required", names)),
        (1, named("minProperties", count.clone())),
        (1, named("maxProperties", count)),
        (1, named("propertyNames", inner.clone())),
        (1, named("dependentRequired", depends)),
        (1, named("dependentSchemas", members(name().boxed()))),
        (1, named("allOf", list.clone())),
        (2, named("anyOf", list.clone())),
        (2, named("oneOf", list)),
        (1, named("not", inner.clone())),
        (1, named("if", inner.clone())),
        (1, named("then", inner.clone())),
        (1, named("else", inner.clone())),
        (1, named("$ref", Just(json!("#/$defs/d")).boxed())),
        (1, named("description", Just(json!("about it")).boxed())),
    ])
    .boxed()
}

fn subschema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![8 => Just(json!({})), 1 => Just(json!(true)), 2 => Just(json!(false))];
    leaf.prop_recursive(3, 24, 4, |inner| {
        proptest::collection::vec(keyword(inner.boxed()), 0..4)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect()))
    })
    .boxed()
}

fn schema() -> BoxedStrategy<Value> {
    (subschema(), subschema())
        .prop_map(|(mut schema, definition)| {
            if let Value::Object(keywords) = &mut schema {
                keywords.insert("$defs".into(), json!({"d": definition}));
            }
            schema
        })
        .prop_filter("usable", |schema| InputSchema::compile(schema).is_ok())
        .boxed()
}

/// A schema and another one: unrelated, or the same with one keyword more, less or different.
fn pair() -> BoxedStrategy<(Value, Value)> {
    let unrelated = (schema(), schema());
    let edited = (schema(), keyword(subschema()), any::<prop::sample::Index>(), 0..3_u8);
    let edited = edited.prop_map(|(old, (keyword, value), index, how)| {
        let mut new = old.clone();
        if let Value::Object(keywords) = &mut new {
            if how == 0 && !keywords.is_empty() {
                let victim = keywords.keys().nth(index.index(keywords.len())).unwrap().clone();
                if victim != "$defs" {
                    keywords.remove(&victim);
                }
            } else {
                keywords.insert(keyword, value);
            }
        }
        (old, new)
    });
    let usable = |(old, new): &(Value, Value)| {
        InputSchema::compile(old).is_ok() && InputSchema::compile(new).is_ok()
    };
    prop_oneof![1 => unrelated, 3 => edited].prop_filter("usable", usable).boxed()
}

/// Small values of every shape, so that a wrong "nothing is lost" has nowhere to hide.
fn universe() -> Vec<Value> {
    let scalars = vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(-1),
        json!(0.5),
        json!(2.5),
        json!(""),
        json!("a"),
        json!("b"),
        json!("ab"),
        json!("0"),
        json!("2026-01-31"),
    ];
    let few = [
        json!(null),
        json!(0),
        json!(1),
        json!("a"),
        json!([]),
        json!({}),
        json!({"a": 1}),
        json!([1]),
    ];
    let mut universe = scalars.clone();
    universe.extend(scalars.iter().map(|item| json!([item])));
    universe.extend(
        ["a", "b", "c", "ab", "x1"]
            .iter()
            .flat_map(|name| scalars.iter().map(move |value| json!({*name: value}))),
    );
    for first in &few {
        for second in &few {
            universe.push(json!([first, second]));
            universe.push(json!({"a": first, "b": second}));
            universe.push(json!({"c": first, "ab": second}));
        }
        universe.push(json!([first, first, 1]));
        universe.push(json!({"a": first, "b": first, "x1": 0}));
    }
    universe.extend([json!([]), json!({})]);
    universe
}

fn accepts(schema: &InputSchema, value: &Value) -> bool {
    let text = value.to_string();
    schema.accepts(assent_json::read(text.as_bytes()).unwrap().root())
}

const CASES: u32 = 10_000;

#[test]
fn verdicts_on_random_schemas_are_never_contradicted() {
    let configuration =
        ProptestConfig { cases: CASES, max_shrink_iters: 4_000, ..ProptestConfig::default() };
    let mut runner = TestRunner::new(configuration);
    let unknown = std::cell::Cell::new(0_u32);
    let total = std::cell::Cell::new(0_u32);
    let universe = universe();
    let result =
        runner.run(&(pair(), proptest::collection::vec(instance(), 12)), |(pair, instances)| {
            let (old, new) = pair;
            let comparison = compare(&old, &new).unwrap();
            let (compiled_old, compiled_new) =
                (InputSchema::compile(&old).unwrap(), InputSchema::compile(&new).unwrap());
            total.set(total.get() + 1);
            if comparison.verdict() == Verdict::Unknown {
                unknown.set(unknown.get() + 1);
            }
            for (difference, yes, no) in [
                (&comparison.lost, &compiled_old, &compiled_new),
                (&comparison.gained, &compiled_new, &compiled_old),
            ] {
                match difference {
                    Difference::Witness(witness) => {
                        prop_assert!(accepts(yes, witness) && !accepts(no, witness), "{}", witness);
                    }
                    Difference::Nothing => {
                        for instance in instances.iter().chain(&universe) {
                            prop_assert!(
                                !accepts(yes, instance) || accepts(no, instance),
                                "{}",
                                instance
                            );
                        }
                    }
                    Difference::Undecided => {}
                }
            }
            Ok(())
        });
    println!("{} of {} comparisons undecided", unknown.get(), total.get());
    result.unwrap();
    assert!(unknown.get() * 20 <= total.get(), "{} of {} undecided", unknown.get(), total.get());
}

#[test]
fn the_reason_for_a_refusal_is_one_that_the_validator_gives_too() {
    let configuration = ProptestConfig { cases: 5_000, ..ProptestConfig::default() };
    let universe = universe();
    TestRunner::new(configuration)
        .run(&schema(), |schema| {
            let compiled = InputSchema::compile(&schema).unwrap();
            for instance in universe.iter().step_by(7) {
                let text = instance.to_string();
                let document = assent_json::read(text.as_bytes()).unwrap();
                let reasons = compiled.violations(document.root());
                match compiled.check(document.root()) {
                    Ok(()) => prop_assert!(reasons.is_empty()),
                    Err(reason) => prop_assert!(
                        reasons.iter().any(|other| {
                            // The validator calls a closed object without fields `false`.
                            let same_keyword =
                                other.keyword == reason.keyword || other.keyword == "falseSchema";
                            other.path == reason.path && same_keyword
                        }),
                        "{} {:?} {:?}",
                        instance,
                        reason,
                        reasons
                    ),
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_the_inspection_accepts_can_be_compiled() {
    let configuration = ProptestConfig { cases: 2_000, ..ProptestConfig::default() };
    let anything = prop_oneof![subschema(), instance().boxed()];
    TestRunner::new(configuration)
        .run(&anything, |schema| {
            let accepted = inspect(&schema, &mut CompileBudget::default()).is_empty();
            prop_assert_eq!(accepted, InputSchema::compile(&schema).is_ok());
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_schema_is_equal_to_itself_however_it_is_written() {
    let configuration = ProptestConfig { cases: 500, ..ProptestConfig::default() };
    TestRunner::new(configuration)
        .run(&schema(), |schema| {
            let wrapped = match &schema {
                Value::Object(keywords) => {
                    let mut keywords: Map<_, _> = keywords.clone();
                    let definitions = keywords.remove("$defs").unwrap_or_default();
                    json!({"title": "the same", "allOf": [keywords], "$defs": definitions})
                }
                other => json!({"anyOf": [other, false]}),
            };
            let comparison = compare(&schema, &wrapped).unwrap();
            prop_assert!(comparison.lost.witness().is_none(), "{:?}", comparison.lost);
            prop_assert!(comparison.gained.witness().is_none(), "{:?}", comparison.gained);
            Ok(())
        })
        .unwrap();
}
