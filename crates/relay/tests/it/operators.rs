//! The admin socket.

use std::{os::unix::fs::PermissionsExt as _, time::Duration};

use assent_relay::{Server, Settings, StartError};
use http::Method;
use serde_json::json;

use crate::{
    person::Person,
    world::{Client, World, on_both},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_is_for_its_owner_alone_and_goes_with_the_server() {
    let world = World::start(false, |_| {}).await;
    let (path, data) = (world.data().join("admin.sock"), world.data().to_owned());
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&path) & 0o777, 0o600);
    assert_eq!(mode(&data) & 0o077, 0);
    assert!(world.operate(Method::GET, "/admin/agents", None).await.status.is_success());
    world.stop().await;
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_socket_has_its_own_operations() {
    on_both(async |world| {
        let outside = world.call(Method::GET, "/admin/agents", None, None).await;
        assert_eq!((outside.status.as_u16(), outside.code()), (404, "NOT_FOUND"));
        let inside = world.operate(Method::GET, "/health", None).await;
        assert_eq!((inside.status.as_u16(), inside.code()), (404, "NOT_FOUND"));
        assert!(inside.headers.contains_key("x-request-id"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_same_directory_is_refused() {
    on_both(async |world| {
        let mut settings = Settings::new(world.data());
        settings.listen.set_port(0);
        let refused = Server::start(settings).await.err().unwrap();
        assert!(matches!(refused, StartError::InUse(_)), "{refused}");
        assert!(refused.to_string().contains("is in use by another server"));
        assert!(world.operate(Method::GET, "/admin/agents", None).await.status.is_success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_a_dead_server_left_behind_is_replaced() {
    let data = tempfile::tempdir().unwrap();
    drop(std::os::unix::net::UnixListener::bind(data.path().join("admin.sock")).unwrap());
    let mut settings = Settings::new(data.path());
    settings.listen.set_port(0);
    let server = Server::start(settings).await.unwrap();
    tokio::net::UnixStream::connect(server.admin_socket()).await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_whose_name_is_too_long_for_a_socket_is_refused_with_advice() {
    let data = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(data.path().join("x".repeat(120)));
    settings.listen.set_port(0);
    let refused = Server::start(settings).await.err().unwrap();
    assert!(refused.to_string().contains("choose a shorter data directory"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_keys_are_rotated_and_the_old_one_is_good_for_a_while() {
    on_both(async |world| {
        let first = world.operate(Method::POST, "/admin/signing-keys/rotate", None).await;
        let second = world.operate(Method::POST, "/admin/signing-keys/rotate", None).await;
        let key = first.data()["key_id"].as_str().unwrap();
        assert!(key.starts_with("key_"), "{key}");
        assert_ne!(first.data()["key_id"], second.data()["key_id"]);
        assert!(second.data()["previous_valid_until"].is_string());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_database_is_whole_and_never_overwrites() {
    let world = World::start(false, |_| {}).await;
    let path = world.data().join("copy.db");
    let body = json!({"path": path});
    let copied = world.operate(Method::POST, "/admin/backup", Some(body.clone())).await;
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(copied.data()["size_bytes"], bytes.len());
    assert_eq!(copied.data()["path"], path.to_str().unwrap());
    assert_eq!(copied.data()["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let again = world.operate(Method::POST, "/admin/backup", Some(body)).await;
    assert_eq!((again.status.as_u16(), again.code()), (409, "CONFLICT"));
    let nowhere = json!({"path": world.data().join("no/such/copy.db")});
    let nowhere = world.operate(Method::POST, "/admin/backup", Some(nowhere)).await;
    assert_eq!((nowhere.status.as_u16(), nowhere.code()), (422, "VALIDATION_FAILED"));
    let left = std::fs::read_dir(world.data()).unwrap().flatten();
    assert!(left.into_iter().all(|file| !file.file_name().to_string_lossy().contains("partial")));

    // What was copied is a database that a server can start from.
    let restored = tempfile::tempdir().unwrap();
    std::fs::copy(&path, restored.path().join("relay.db")).unwrap();
    let mut settings = Settings::new(restored.path());
    settings.listen.set_port(0);
    Server::start(settings).await.unwrap().stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_is_not_copied_by_us() {
    let world = World::start(true, |_| {}).await;
    let body = json!({"path": world.data().join("copy.db")});
    let refused = world.operate(Method::POST, "/admin/backup", Some(body)).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (409, "CONFLICT"));
    assert!(refused.text.contains("pg_dump"), "{}", refused.text);
    world.stop().await;
}

/// An agent of `owner`: its id and its token.
async fn agent(owner: &Person, name: &str) -> (String, String) {
    let body = json!({"name": name, "description": "books 航班 and trains"});
    let made = owner.call(Method::POST, "/agents", Some(body)).await;
    let text = |field: &str| made.data()[field].as_str().unwrap().to_owned();
    (text("agent_id"), text("token"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_agent_can_do_nothing_until_it_is_restored_and_its_owner_gets_events() {
    on_both(async |world| {
        let owner = world.person("ada").await;
        let (id, token) = agent(&owner, "Bookings").await;
        let path = format!("/agents/{id}");
        let act = async || world.call(Method::GET, &path, Some(&token), None).await;
        assert_eq!(act().await.status.as_u16(), 200);

        let suspend = format!("/admin/agents/{id}/suspend");
        let because = Some(json!({"reason": "it sends spam"}));
        let suspended = world.operate(Method::POST, &suspend, because).await;
        assert_eq!(suspended.data()["state"], "suspended");
        assert_eq!(suspended.data()["suspended_reason"], "it sends spam");
        assert_eq!(suspended.data()["owner_name"], "ada");
        assert_eq!(act().await.refusal(), (403, "FORBIDDEN"));
        assert_eq!(owner.call(Method::GET, &path, None).await.data()["state"], "suspended");
        // Again: only the reason can be another one.
        let again = world.operate(Method::POST, &suspend, None).await;
        assert!(again.data().get("suspended_reason").is_none(), "{again:?}");

        let restore = format!("/admin/agents/{id}/restore");
        for _ in 0..2 {
            let restored = world.operate(Method::POST, &restore, None).await;
            assert_eq!(restored.data()["state"], "active");
        }
        assert_eq!(act().await.status.as_u16(), 200);
        let events = owner.call(Method::GET, "/h2a/events?after=0", None).await;
        let told: Vec<&str> = events.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| event["type"] == "agent.telemetry")
            .map(|event| event["data"]["code"].as_str().unwrap())
            .collect();
        assert_eq!(told, ["AGENT_SUSPENDED", "AGENT_RESTORED"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_are_listed_in_pages_and_found_by_words_and_state() {
    on_both(async |world| {
        let owner = world.person("ada").await;
        let mut ids = Vec::new();
        for name in ["Alpha", "Beta", "Ümläute", "Delta"] {
            ids.push(agent(&owner, name).await.0);
        }
        let list = async |query: &str| {
            let path = format!("/admin/agents?{query}");
            world.operate(Method::GET, &path, None).await.body
        };
        let found = |body: &serde_json::Value| -> Vec<String> {
            let agents = body["data"].as_array().unwrap().iter();
            agents.map(|agent| agent["agent_id"].as_str().unwrap().to_owned()).collect()
        };
        let first = list("limit=3").await;
        assert_eq!(found(&first), ids[..3]);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = list(&format!("limit=3&cursor={cursor}")).await;
        assert_eq!((found(&second), &second["next_cursor"]), (ids[3..].to_vec(), &json!(null)));
        assert_eq!(found(&list("q=%C3%BCML%C3%84UTE%20%E8%88%AA%E7%8F%AD").await), ids[2..3]);
        assert!(found(&list("q=alpha%20beta").await).is_empty());
        let suspend = format!("/admin/agents/{}/suspend", ids[1]);
        world.operate(Method::POST, &suspend, None).await.data();
        assert_eq!(found(&list("state=suspended").await), ids[1..2]);
        assert_eq!(found(&list("state=active&q=trains").await).len(), 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_outlive_a_rotation_and_other_nodes_learn_of_it() {
    let world = World::start(true, |_| {}).await;
    let second = world.second_node().await;
    let before = world.person("ada").await;
    world.operate(Method::POST, "/admin/signing-keys/rotate", None).await.data();
    let after = before.logged_in_again().await;
    for token in [&before.token, &after.token] {
        for address in [world.address(), second.address()] {
            let me = Client::of(address).call(Method::GET, "/auth/me", Some(token), None).await;
            assert_eq!(me.status.as_u16(), 200, "{me:?}");
        }
    }
    second.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_not_there_cannot_be_suspended() {
    on_both(async |world| {
        for path in ["suspend", "restore"] {
            let path = format!("/admin/agents/agt_01J00000000000000000000000/{path}");
            let answer = world.operate(Method::POST, &path, None).await;
            assert_eq!((answer.status.as_u16(), answer.code()), (404, "NOT_FOUND"));
        }
        for path in ["suspend", "restore"] {
            let path = format!("/admin/relations/rel_01J00000000000000000000000/{path}");
            let answer = world.operate(Method::POST, &path, None).await;
            assert_eq!(answer.refusal(), (404, "NOT_FOUND"));
        }
        let list = world.operate(Method::GET, "/admin/agents?state=suspended", None).await;
        assert_eq!(list.body, json!({"data": [], "next_cursor": null}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_does_not_wait_for_an_idle_operator() {
    let world = World::start(false, |_| {}).await;
    let _idle = tokio::net::UnixStream::connect(world.data().join("admin.sock")).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), world.stop()).await.unwrap();
}
