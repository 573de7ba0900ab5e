//! Whatever field of whatever body has a value of another type than the document says, the answer is 400 and leads
//! to the field.

use std::collections::BTreeSet;

use assent_relay_api::{Described, admin_openapi, admin_operations, openapi, operations};
use http::Method;
use serde_json::{Value, json};

use crate::{agent::manifest, asker::Asker, world::World};

/// A place in a body, and the types of the values that may stand there.
struct Place {
    steps: Vec<String>,
    types: BTreeSet<String>,
}

impl Place {
    fn pointer(&self) -> String {
        self.steps.iter().map(|step| format!("/{step}")).collect()
    }

    /// A value of every type that may not stand there.
    fn wrong(&self) -> Vec<Value> {
        let has = |name: &str| self.types.contains(name);
        let mut wrong = Vec::new();
        for (name, value) in [
            ("null", Value::Null),
            ("boolean", json!(true)),
            ("string", json!("text")),
            ("array", json!([])),
            ("object", json!({})),
        ] {
            wrong.extend((!has(name)).then_some(value));
        }
        match (has("number"), has("integer")) {
            (true, _) => {}
            (false, true) => wrong.push(json!(0.5)),
            (false, false) => wrong.extend([json!(7), json!(-0.5)]),
        }
        wrong
    }

    /// The example, with `wrong` at this place.
    fn spoil(&self, example: &Value, wrong: Value) -> Value {
        let mut body = example.clone();
        let mut at = &mut body;
        for step in &self.steps {
            at = match step.parse::<usize>() {
                Ok(index) => {
                    if at.get(index).is_none() {
                        *at = json!([null]);
                    }
                    &mut at[index]
                }
                Err(_) => {
                    if !at.is_object() {
                        *at = json!({});
                    }
                    &mut at[step.as_str()]
                }
            };
        }
        *at = wrong;
        body
    }
}

/// Finds every place that a schema of the document speaks of.
struct Walk<'d> {
    document: &'d Value,
    places: Vec<Place>,
}

impl<'d> Walk<'d> {
    fn look(&mut self, schema: &'d Value, steps: &[String]) {
        let mut parts = Vec::new();
        self.take_apart(schema, &mut parts);
        let types = parts.iter().flat_map(|part| types(part)).collect();
        let place = Place { steps: steps.to_vec(), types };
        let pointer = place.pointer();
        self.places.push(place);
        // Problems inside a manifest are reported as a whole.
        if pointer == "/capability_manifest" {
            return;
        }
        let inside = |step: &str| [steps, &[step.to_owned()]].concat();
        for part in parts {
            for (name, schema) in part["properties"].as_object().into_iter().flatten() {
                // What only the relay says is ignored in requests.
                if schema["readOnly"] != true {
                    self.look(schema, &inside(name));
                }
            }
            if let Some(schema) = part.get("items") {
                self.look(schema, &inside("0"));
            }
        }
    }

    /// The alternatives that a schema has.
    fn take_apart(&self, schema: &'d Value, parts: &mut Vec<&'d Value>) {
        assert!(schema.get("allOf").is_none(), "this is not supported: {schema}");
        if let Some(name) = schema["$ref"].as_str() {
            let pointer = name.strip_prefix('#').unwrap();
            return self.take_apart(self.document.pointer(pointer).unwrap(), parts);
        }
        let alternatives: Vec<&Value> = ["anyOf", "oneOf"]
            .into_iter()
            .flat_map(|word| schema[word].as_array().into_iter().flatten())
            .collect();
        if alternatives.is_empty() || schema.get("properties").is_some() {
            return parts.push(schema);
        }
        for alternative in alternatives {
            self.take_apart(alternative, parts);
        }
    }
}

/// The types that a schema without alternatives allows.
fn types(schema: &Value) -> Vec<String> {
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    match &schema["type"] {
        Value::String(_) => vec![name(&schema["type"])],
        Value::Array(names) => names.iter().map(name).collect(),
        _ if schema["const"].is_string() || schema["enum"][0].is_string() => {
            vec!["string".to_owned()]
        }
        _ => panic!("of what type is this: {schema}"),
    }
}

/// Every place in the body of an operation.
fn places(document: &Value, operation: &Described) -> Vec<Place> {
    let method = operation.method.as_str().to_lowercase();
    let described = &document["paths"][operation.path][method];
    let schema = &described["requestBody"]["content"]["application/json"]["schema"];
    let mut walk = Walk { document, places: Vec::new() };
    walk.look(schema, &[]);
    walk.places
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_of_another_type_is_a_bad_request_that_leads_to_it_in_every_field_of_every_body() {
    let asker = Asker::start().await;
    let (public, admin) = (openapi("http://127.0.0.1:8700"), admin_openapi());
    let public = operations().iter().map(|operation| (operation, &public));
    let all = public.chain(admin_operations().iter().map(|operation| (operation, &admin)));
    let (mut asked, mut otherwise) = (0, Vec::new());
    for (operation, document) in all.filter(|(operation, _)| operation.takes_body()) {
        let example: Value = serde_json::from_str(operation.example).unwrap();
        for place in places(document, operation) {
            for wrong in place.wrong() {
                let answer =
                    asker.ask(operation, place.spoil(&example, wrong.clone()).to_string()).await;
                let led_to = answer.body["error"]["params"]["pointer"].as_str();
                let expected = ((400, "BAD_REQUEST"), Some(place.pointer()));
                if (answer.refusal(), led_to.map(str::to_owned)) != expected {
                    let id = operation.id;
                    otherwise.push(format!("{id} {wrong} at {}: {}", place.pointer(), answer.text));
                }
                asked += 1;
            }
        }
    }
    assert!(otherwise.is_empty(), "{}", otherwise.join("\n"));
    assert!(asked > 400, "only {asked} values were tried");
    asker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_inside_a_manifest_are_reported_as_a_whole() {
    let world = World::start(false, |_| {}).await;
    let ada = world.person("ada").await;
    let mut declared = manifest(&[("look", "files:read")]);
    declared["tools"] = json!("none");
    let agent = json!({ "name": "helper", "capability_manifest": declared });
    let refused = ada.call(Method::POST, "/agents", Some(agent)).await;
    assert_eq!(refused.refusal(), (422, "INVALID_MANIFEST"));
    let finding = &refused.body["error"]["params"]["errors"][0];
    assert_eq!((&finding["code"], &finding["path"]), (&json!("WRONG_TYPE"), &json!("/tools")));
    world.stop().await;
}
