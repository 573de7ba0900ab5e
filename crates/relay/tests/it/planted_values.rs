//! No error repeats what the request said: every place of every operation, from the table of routes, gets a token that
//! was put there by mistake, and then something harmless.

use assent_relay_api::{Described, operations};
use http::{Method, Request, header};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, manifest},
    person::Person,
    planted_secrets::{record_lines, recorded_lines},
    world::{Response, World},
};

const TOKEN: &str = "hsk_PlantedPlantedPlantedPlantedPlantedPlant12";
const WORD: &str = "Zq-planted-by-mistake";

/// What is asked, and where something was planted.
struct Planted {
    place: String,
    path: String,
    body: Option<String>,
}

/// People and agents who ask for one operation: they may be gone after it.
struct Askers {
    person: Person,
    agent: Agent,
}

impl Askers {
    async fn of(world: &World, name: &str) -> Self {
        let person = world.person(name).await;
        let agent = world.agent(&person, manifest(&[("read_file", "filesystem:read")])).await;
        Self { person, agent }
    }

    /// What stands in a path under this name, if nothing is planted there.
    fn parameter(&self, name: &str) -> &str {
        match name {
            "agent_id" | "member_id" => &self.agent.agent_id,
            "user_id" => &self.person.user_id,
            "token_id" => "tok_01J00000000000000000000000",
            "relation_id" => "rel_01J00000000000000000000000",
            "conversation_id" => "cnv_01J00000000000000000000000",
            "device_id" => "dev_01J00000000000000000000000",
            "delivery_id" => "dlv_01J00000000000000000000000",
            "version" => "1",
            other => panic!("say here what a `{other}` is"),
        }
    }

    fn path(&self, operation: &Described, planted: Option<(&str, &str)>) -> String {
        let mut path = operation.path.to_owned();
        for name in operation.path_parameters() {
            let value = planted.filter(|(place, _)| *place == name);
            let value = value.map_or_else(|| self.parameter(name), |(_, value)| value);
            path = path.replace(&format!("{{{name}}}"), value);
        }
        path
    }
}

/// The names of the parameters in the query of an operation, as the document tells them.
fn query_names(document: &Value, operation: &Described) -> Vec<String> {
    let method = operation.method.as_str().to_lowercase();
    let parameters = document["paths"][operation.path][&method]["parameters"].as_array();
    let parameters = parameters.into_iter().flatten().filter(|one| one["in"] == "query");
    parameters.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Every body that differs from `body` in one place: another value, or one key more.
fn bodies(body: &Value, planted: &str) -> Vec<(String, Value)> {
    let mut found = vec![(String::new(), json!(planted))];
    let mut inside = |step: &str, value: &Value, put: &dyn Fn(Value) -> Value| {
        for (place, changed) in bodies(value, planted) {
            found.push((format!("/{step}{place}"), put(changed)));
        }
    };
    match body {
        Value::Object(fields) => {
            for (name, value) in fields {
                inside(name, value, &|changed| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), changed);
                    fields.into()
                });
            }
            let mut more = fields.clone();
            more.insert(planted.to_owned(), json!(planted));
            found.push(("/a new key".to_owned(), more.into()));
        }
        Value::Array(entries) => {
            for (index, value) in entries.iter().enumerate() {
                inside(&index.to_string(), value, &|changed| {
                    let mut entries = entries.clone();
                    entries[index] = changed;
                    entries.into()
                });
            }
        }
        _ => {}
    }
    found
}

fn requests(document: &Value, operation: &Described, askers: &Askers, what: &str) -> Vec<Planted> {
    let path = askers.path(operation, None);
    let example = Some(operation.example).filter(|example| !example.is_empty());
    let mut all = Vec::new();
    for name in operation.path_parameters() {
        let path = askers.path(operation, Some((name, what)));
        let (place, body) = (format!("the path's {name}"), example.map(ToOwned::to_owned));
        all.push(Planted { place, path, body });
    }
    let names = query_names(document, operation);
    for name in names.iter().map(String::as_str).chain([what]) {
        let place = format!("the query's {name}");
        for query in [format!("{name}={what}"), format!("{name}={what}&{name}={what}")] {
            let (place, body) = (place.clone(), example.map(ToOwned::to_owned));
            all.push(Planted { place, path: format!("{path}?{query}"), body });
        }
    }
    let Some(example) = example else { return all };
    for (place, body) in bodies(&serde_json::from_str(example).unwrap(), what) {
        let place = format!("the body's {place}");
        all.push(Planted { place, path: path.clone(), body: Some(body.to_string()) });
    }
    let broken = [
        ("twice", format!(r#"{{"{what}":1,"{what}":2}}"#)),
        ("unfinished", format!(r#"{{"{what}":"{what}","#)),
        ("no JSON", what.to_owned()),
    ];
    for (place, body) in broken {
        all.push(Planted { place: place.to_owned(), path: path.clone(), body: Some(body) });
    }
    all
}

async fn send(
    world: &World,
    operation: &Described,
    planted: &Planted,
    token: Option<&str>,
) -> Response {
    let mut request = Request::builder().method(operation.method.clone()).uri(&planted.path);
    request = request.header(header::HOST, world.address().to_string());
    request = request.header("x-request-id", TOKEN).header(header::USER_AGENT, TOKEN);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    if planted.body.is_some() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    let body = planted.body.clone().unwrap_or_default();
    world.send(request.body(Full::from(body)).unwrap()).await
}

/// Whether an error may say what its author calls something: keys are places, and problems of a manifest are reported
/// in its own words.
fn may_be_named(planted: &Planted, what: &str) -> bool {
    let is_key = planted.place.contains("a new key")
        || planted.place == "twice"
        || planted.place == format!("the query's {what}");
    what == WORD && (is_key || planted.place.contains("/capability_manifest"))
}

async fn repeated(
    world: &World,
    document: &Value,
    operation: &Described,
    what: &str,
) -> Vec<String> {
    let askers = Askers::of(world, &format!("{}-{}", operation.id, what.len())).await;
    let tokens = [None, Some(askers.agent.token.as_str()), Some(askers.person.token.as_str())];
    let mut wrong = Vec::new();
    for planted in requests(document, operation, &askers, what) {
        for token in tokens {
            let answer = send(world, operation, &planted, token).await;
            assert!(answer.status.as_u16() < 500, "`{}`: {answer:?}", operation.id);
            let heads = format!("{:?}", answer.headers);
            let is_said = !answer.status.is_success() && answer.text.contains(what);
            if heads.contains(what) || (is_said && !may_be_named(&planted, what)) {
                wrong.push(format!("`{}`, {}: {}", operation.id, planted.place, answer.text));
            }
        }
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn no_error_and_no_line_of_the_log_repeats_what_the_request_said() {
    record_lines();
    let world = World::start(false, |settings| {
        settings.limits.agents = 1000;
        settings.limits.key_requests_per_minute = 10_000;
        settings.limits.messages_per_second = 1000;
    })
    .await;
    let document = world.call(Method::GET, "/openapi.json", None, None).await.body;
    let mut wrong = Vec::new();
    for operation in operations() {
        for what in [TOKEN, WORD] {
            wrong.extend(repeated(&world, &document, operation, what).await);
        }
    }
    assert!(wrong.is_empty(), "{} errors:\n{}", wrong.len(), wrong.join("\n"));
    let lines = recorded_lines();
    assert!(lines.lines().count() > 100, "something is logged");
    let found = lines.lines().find(|line| line.contains(TOKEN));
    assert_eq!(found, None);
    world.stop().await;
}
