//! The routes of the directory, of relations, reviews and keys.

use assent_relay_api::{
    operations::{
        accounts::{Credentials as LoginCredentials, Login},
        agents::{AgentChanges, UpdateAgent},
    },
    path::AgentPath,
    value::{Password, Secret},
};
use assent_relay_client::{Client, Credentials};
use serde_json::{Value, json};

use crate::scene::{Scene, manifest};

/// The relation with the agent of the scene.
async fn relation(scene: &Scene) -> Value {
    scene.first("/relations").await
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap()
}

/// The status and the code of a refusal.
async fn refusal(scene: &Scene, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
    let (status, body) = scene.send(method, path, body).await;
    (status, text(body.get("error").unwrap(), "code").to_owned())
}

/// Publishes a manifest in which reading a file needs an encoding.
async fn publish_breaking_change(scene: &Scene, agent_id: &str) {
    let login = LoginCredentials {
        email: "owner@example.org".to_owned().try_into().unwrap(),
        account_password: Password::try_from(Secret::from("a long password".to_owned())).unwrap(),
        cookie: Some(false),
    };
    let client = Client::new(&scene.relay_url(), Credentials::None).unwrap();
    let session = client.call::<Login>(&(), &(), &login).await.unwrap();
    let client = client.with_credentials(Credentials::Bearer(session.access_token));
    let mut manifest = manifest();
    let schema = json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "encoding": { "type": "string" } },
        "required": ["path", "encoding"],
        "additionalProperties": false,
    });
    *manifest.pointer_mut("/tools/0/input_schema").unwrap() = schema;
    let changes = json!({ "capability_manifest": manifest });
    let changes: AgentChanges = serde_json::from_value(changes).unwrap();
    let path = AgentPath { agent_id: agent_id.parse().unwrap() };
    client.call::<UpdateAgent>(&path, &(), &changes).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_found_shown_and_added_once() {
    let scene = Scene::new().await;
    let listed = scene.get("/directory?q=helper").await;
    let agent_id = text(&listed[0], "agent_id").to_owned();
    assert_eq!(scene.get("/directory?q=unknownword").await, json!([]));
    let offer = scene.get(&format!("/directory/{agent_id}")).await;
    let scope = json!({
        "id": "filesystem:read",
        "label": "Read local files",
        "description": "Only in folders you choose",
        "sensitivity": "medium",
        "tools": ["read_file"],
    });
    assert_eq!(offer["scopes"], json!([scope]));
    assert_eq!(offer["tools"][0]["served_by"], "read_file");
    assert_eq!((&offer["layers"], &offer["verified"]), (&json!("full"), &json!(false)));
    assert_eq!(offer["relation_id"], relation(&scene).await["relation_id"]);
    let zeros = "0".repeat(64);
    for (field, value, expected) in [
        ("view_digest", offer["view_digest"].clone(), (409, "AGENT_ADDED")),
        ("view_digest", json!(zeros), (409, "VIEW_CHANGED")),
        ("manifest_hash", json!(zeros), (409, "MANIFEST_CHANGED")),
        ("k", json!(zeros), (409, "KEY_MISMATCH")),
        ("k", json!("odd"), (422, "VALIDATION_FAILED")),
        ("relay", json!("https://other.example"), (409, "RELAY_MISMATCH")),
        ("granted_scopes", json!(["shell:exec"]), (422, "UNKNOWN_SCOPE")),
    ] {
        let mut body = json!({
            "agent_id": agent_id,
            "manifest_hash": offer["manifest_hash"],
            "granted_scopes": ["filesystem:read"],
            "view_digest": offer["view_digest"],
        });
        body[field] = value;
        let (status, code) = refusal(&scene, "POST", "/relations", Some(body.clone())).await;
        assert_eq!((status, &*code), expected, "{body}");
    }
    for (path, expected) in [
        (format!("/directory/{agent_id}?k={zeros}"), (409, "KEY_MISMATCH")),
        ("/directory/odd".to_owned(), (404, "NOT_FOUND")),
        ("/directory/agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".to_owned(), (404, "NOT_FOUND")),
        ("/relations/odd".to_owned(), (404, "NOT_FOUND")),
        ("/relations/rel_01JZ8Q5A1B2C3D4E5F6G7H8J9K".to_owned(), (404, "NOT_FOUND")),
        ("/keys/odd".to_owned(), (404, "NOT_FOUND")),
        ("/reviews/rel_01JZ8Q5A1B2C3D4E5F6G7H8J9K".to_owned(), (404, "NOT_FOUND")),
    ] {
        let (status, code) = refusal(&scene, "GET", &path, None).await;
        assert_eq!((status, &*code), expected, "{path}");
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_are_shown_taken_back_and_ended() {
    let scene = Scene::new().await;
    let listed = relation(&scene).await;
    let path = format!("/relations/{}", text(&listed, "relation_id"));
    assert_eq!(listed["agent"]["name"], "helper");
    scene.call_and_decide("notes.md", "allow_24h").await.unwrap();
    let shown = scene.get(&path).await;
    let tool = &shown["tools"][0];
    assert_eq!((&tool["name"], &tool["served_by"]), (&json!("read_file"), &json!("read_file")));
    assert!(tool["silent_until"].is_string() && tool["silent_at_most"].is_string(), "{tool}");
    assert_eq!(shown["ledger"][0]["action"], "grant");
    let ask = json!({ "tool": "read_file" });
    let (status, shown) = scene.send("POST", &format!("{path}/ask-again"), Some(ask)).await;
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["data"]["tools"][0].get("silent_until"), None);
    // Taking back needs no look at the agent.
    let change = |scopes: &[&str]| json!({ "granted_scopes": scopes, "manifest_hash": "0".repeat(64), "view_digest": "" });
    let (status, shown) = scene.send("PATCH", &path, Some(change(&[]))).await;
    assert_eq!((status, &shown["data"]["granted_scopes"]), (200, &json!([])), "{shown}");
    assert_eq!(shown["data"]["ledger"][1]["action"], "update");
    assert_eq!(shown["data"]["pending"], false);
    let refused = refusal(&scene, "PATCH", &path, Some(change(&["filesystem:read"]))).await;
    assert_eq!(refused, (409, "MANIFEST_CHANGED".to_owned()));
    let (status, ended) = scene.send("DELETE", &path, None).await;
    assert_eq!((status, &ended["data"]["state"]), (200, &json!("revoked")), "{ended}");
    assert_eq!(scene.get("/relations").await, json!([]));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_is_listed_refused_and_accepted() {
    let scene = Scene::new().await;
    let relation = relation(&scene).await;
    assert_eq!(scene.get("/reviews").await, json!([]));
    publish_breaking_change(&scene, text(&relation["agent"], "agent_id")).await;
    let review = scene.first("/reviews").await;
    assert_eq!((&review["old_version"], &review["new_version"]), (&json!(1), &json!(2)));
    let change = &review["changes"][0];
    assert_eq!(change["rule"], "input-required-added");
    assert!(text(change, "text").contains("encoding"), "{change}");
    assert!(change["witness"].get("encoding").is_none(), "{change}");
    let path = format!("/reviews/{}", text(&review, "relation_id"));
    let answer = |decision: &str| {
        json!({
            "decision": decision,
            "manifest_hash": review["manifest_hash"],
            "granted_scopes": ["filesystem:read"],
            "view_digest": review["view_digest"],
        })
    };
    let (status, body) = scene.send("POST", &path, Some(answer("refuse"))).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(scene.get(&path).await["refused"], true);
    let mut stale = answer("accept");
    stale["manifest_hash"] = json!("0".repeat(64));
    let refused = refusal(&scene, "POST", &path, Some(stale)).await;
    assert_eq!(refused, (409, "MANIFEST_CHANGED".to_owned()));
    let (status, body) = scene.send("POST", &path, Some(answer("accept"))).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["data"]["granted_scopes"], json!(["filesystem:read"]));
    assert_eq!(scene.get("/reviews").await, json!([]));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_an_agent_is_shown_and_compared() {
    let scene = Scene::new().await;
    let keys = scene.first("/keys").await;
    let path = format!("/keys/{}", text(&keys["agent"], "agent_id"));
    assert_eq!(scene.get(&path).await, keys);
    assert_eq!((&keys["changed"], &keys["agent"]["verified"]), (&json!(false), &json!(false)));
    let accept = format!("{path}/accept");
    let wrong = json!({ "number": "0".repeat(60) });
    let refused = refusal(&scene, "POST", &accept, Some(wrong)).await;
    assert_eq!(refused, (422, "WRONG_NUMBER".to_owned()));
    let right = json!({ "number": keys["safety_number"] });
    let (status, body) = scene.send("POST", &accept, Some(right)).await;
    assert_eq!((status, &body["data"]["agent"]["verified"]), (200, &json!(true)), "{body}");
    let devices = scene.get("/devices").await;
    assert_eq!((&devices[0]["is_this"], &devices[0]["name"]), (&json!(true), &json!("laptop")));
    scene.end().await;
}
