//! The admin socket.

use std::{os::unix::fs::PermissionsExt as _, time::Duration};

use assent_relay::{Server, Settings, StartError};
use http::Method;
use serde_json::json;

use crate::world::{World, on_both};

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
async fn each_door_has_its_own_operations() {
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

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_not_there_cannot_be_suspended() {
    on_both(async |world| {
        for path in ["suspend", "restore"] {
            let path = format!("/admin/agents/agt_01J00000000000000000000000/{path}");
            let answer = world.operate(Method::POST, &path, None).await;
            assert_eq!((answer.status.as_u16(), answer.code()), (404, "NOT_FOUND"));
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
