//! The routes of activity, audit, conversations and settings.

use serde_json::{Value, json};

use crate::scene::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn the_activity_is_listed_filtered_and_told_call_by_call() {
    let scene = Scene::new().await;
    scene.call_and_decide("notes.md", "allow_once").await.unwrap();
    scene.call_and_decide("notes.md", "deny").await.unwrap_err();
    scene.call("/etc/passwd").await.unwrap_err();
    let statuses = async |query: &str| -> Vec<Value> {
        let calls = scene.get(&format!("/activity{query}")).await;
        calls.as_array().unwrap().iter().map(|call| call["status"].clone()).collect()
    };
    assert_eq!(statuses("").await, ["error", "denied", "ok"]);
    assert_eq!(statuses("?outcome=failed").await, ["error"]);
    assert_eq!(statuses("?outcome=asked&limit=1").await, ["denied"]);
    assert_eq!(statuses("?q=passwd").await, [] as [Value; 0]);
    assert_eq!(statuses("?q=NOTES").await, ["denied", "ok"]);
    let (_, page) = scene.send("GET", "/activity?limit=2", None).await;
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(statuses(&format!("?cursor={cursor}")).await, ["ok"]);
    let id = scene.get("/activity").await[2]["invocation_id"].as_str().unwrap().to_owned();
    let story = scene.get(&format!("/activity/{id}")).await;
    let digests = &story["digests"];
    assert!(digests["saw"].is_string(), "{story}");
    assert_eq!((&digests["saw"], &digests["saw"]), (&digests["answered"], &digests["ran"]));
    assert_eq!(story["stages"].as_array().unwrap().len(), 13);
    assert_eq!(story["decided_by"], "person:terminal");
    assert_eq!(story["agent"]["name"], "helper");
    assert_eq!(story["tool"], json!({ "name": "read_file", "served_by": "read_file" }));
    for (path, expected) in [
        ("/activity?outcome=odd", 422),
        ("/activity?cursor=odd", 422),
        ("/activity/inv_01JZ8Q5A1B2C3D4E5F6G7H8J9K", 404),
        ("/activity/odd", 404),
    ] {
        assert_eq!(scene.send("GET", path, None).await.0, expected, "{path}");
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_is_listed_verified_and_exported() {
    let scene = Scene::new().await;
    for _ in 0..3 {
        scene.call("/etc/passwd").await.unwrap_err();
    }
    let (_, page) = scene.send("GET", "/audit?limit=2", None).await;
    let seqs = |page: &Value| -> Vec<Value> {
        page["data"].as_array().unwrap().iter().map(|entry| entry["seq"].clone()).collect()
    };
    assert_eq!((seqs(&page), &page["next_cursor"]), (vec![json!(3), json!(2)], &json!("2")));
    let (_, page) = scene.send("GET", "/audit?cursor=2", None).await;
    assert_eq!((seqs(&page), &page["next_cursor"]), (vec![json!(1)], &Value::Null));
    let whole = json!({ "ok": true, "entries": 3, "problems": [] });
    assert_eq!(scene.get("/audit/verify").await, whole);
    let mut export = scene.get("/audit/export").await;
    let verify = async |export: &Value| {
        let body = json!({ "export": export.to_string() });
        let (status, body) = scene.send("POST", "/audit/verify", Some(body)).await;
        assert_eq!(status, 200, "{body}");
        body["data"].clone()
    };
    assert_eq!(verify(&export).await, whole);
    export["entries"][1]["status"] = "ok".into();
    let problem = json!({
        "seq": 2,
        "kind": "edited",
        "message": "entry 2: it is not what was written",
    });
    assert_eq!(verify(&export).await["problems"], json!([problem]));
    let odd = json!({ "export": "{}" });
    assert_eq!(scene.send("POST", "/audit/verify", Some(odd)).await.0, 422);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_sent_and_listed_with_the_calls() {
    let scene = Scene::new().await;
    let path = format!("/conversations/{}/messages", scene.conversation);
    let (status, _) = scene.send("POST", &path, Some(json!({ "text": "hello" }))).await;
    assert_eq!(status, 200);
    scene.call("/etc/passwd").await.unwrap_err();
    let entries = scene.get(&path).await;
    assert_eq!((&entries[0]["kind"], &entries[0]["text"]), (&json!("text"), &json!("hello")));
    assert_eq!(entries[0]["from"], "person");
    let call = &entries[1]["call"];
    assert_eq!((&entries[1]["kind"], &call["status"]), (&json!("call"), &json!("error")));
    let conversations = scene.get("/conversations").await;
    assert_eq!(conversations[0]["last_text"], "hello");
    assert_eq!(conversations[0]["agent"]["name"], "helper");
    for (body, expected) in [
        (json!({ "text": " " }), 422),
        (json!({}), 400),
        (json!({ "text": "hello", "to": "all" }), 422),
    ] {
        let (status, reply) = scene.send("POST", &path, Some(body)).await;
        assert_eq!(status, expected, "{reply}");
    }
    let other = "/conversations/cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K/messages";
    assert_eq!(scene.send("GET", other, None).await.0, 404);
    let before = "2020-01-01T00:00:00Z";
    assert_eq!(scene.get(&format!("{path}?before={before}")).await, json!([]));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_and_folders_are_changed() {
    let scene = Scene::new().await;
    let before = json!({
        "lang": null,
        "location": null,
        "sensitivity": {},
        "fetch.allow_origins": [],
    });
    assert_eq!(scene.get("/settings").await, before);
    let change = json!({ "lang": "zh", "sensitivity": { "filesystem:read": "high" } });
    let (status, body) = scene.send("PATCH", "/settings", Some(change)).await;
    assert_eq!((status, &body["data"]["lang"]), (200, &json!("zh")), "{body}");
    assert_eq!(scene.get("/state").await["lang"], "zh");
    assert_eq!(scene.get("/roots").await, json!({ "roots": [scene.root] }));
    let none = json!({ "roots": [] });
    assert_eq!(scene.send("PUT", "/roots", Some(none.clone())).await.1["data"], none);
    assert_eq!(scene.get("/roots").await, none);
    for (method, path, body, expected) in [
        ("PUT", "/roots", json!({ "roots": ["relative"] }), 422),
        ("PATCH", "/settings", json!({ "volume": 11 }), 422),
        ("PATCH", "/settings", json!({ "fetch.allow_origins": ["odd"] }), 422),
        ("PATCH", "/settings", json!({ "location": { "latitude": 91 } }), 400),
    ] {
        let (status, reply) = scene.send(method, path, Some(body)).await;
        assert_eq!(status, expected, "{method} {path}: {reply}");
    }
    let tools = scene.get("/tools").await;
    assert_eq!((tools.as_array().unwrap().len(), &tools[0]["name"]), (5, &json!("read_file")));
    scene.end().await;
}
