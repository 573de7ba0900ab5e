//! Health, readiness, figures and the document.

use std::{collections::BTreeSet, time::Duration};

use assent_test_servers::Postgres;
use http::Method;
use serde_json::json;

use crate::world::{World, on_both};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_runs_is_healthy_and_ready() {
    on_both(async |world| {
        let health = world.call(Method::GET, "/health", None, None).await;
        assert_eq!(health.data(), &json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")}));
        let ready = world.call(Method::GET, "/ready", None, None).await;
        assert_eq!(ready.data(), &json!({"status": "ready"}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_database_is_gone_is_healthy_but_not_ready_until_it_is_back() {
    let mut postgres = Postgres::start();
    let url = format!("{}/postgres", postgres.base());
    let world =
        World::start(false, |settings| settings.database = Some(url.parse().unwrap())).await;
    let ready = async || world.call(Method::GET, "/ready", None, None).await;
    assert_eq!(ready().await.status.as_u16(), 200);
    postgres.kill();
    // The proof of a moment ago has to grow old.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let refused = ready().await;
    assert_eq!((refused.status.as_u16(), refused.code()), (503, "STORAGE_UNAVAILABLE"));
    assert_eq!(refused.headers["retry-after"], "1");
    assert_eq!(world.call(Method::GET, "/health", None, None).await.status.as_u16(), 200);
    let figures = world.call(Method::GET, "/metrics", None, None).await.text;
    assert!(figures.contains("\nassent_store_up 0\n"), "{figures}");
    postgres.restart();
    let mut answer = ready().await;
    for _ in 0..20 {
        if answer.status.as_u16() == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        answer = ready().await;
    }
    assert_eq!(answer.status.as_u16(), 200);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_tell_what_happened() {
    on_both(async |world| {
        world.call(Method::GET, "/health", None, None).await;
        world.call(Method::GET, "/ready", None, None).await;
        world.call(Method::GET, "/nowhere", None, None).await;
        let answer = world.call(Method::GET, "/metrics", None, None).await;
        assert_eq!(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
        for line in [
            r#"assent_requests_total{operation="health",status="200"} 1"#,
            r#"assent_requests_total{operation="none",status="404"} 1"#,
            "assent_requests_in_flight 1",
            "assent_panics_total 0",
            "assent_store_up 1",
            r#"assent_webhook_deliveries{state="pending"} 0"#,
        ] {
            assert!(answer.text.lines().any(|found| found == line), "{line}\n{}", answer.text);
        }
        let value = |name: &str| -> u64 {
            let line = answer.text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().parse().unwrap()
        };
        assert!(value("assent_store_commits_total ") >= 1);
        assert!(value("assent_connections ") >= 1);
        assert!(value("process_resident_memory_bytes ") > 1_000_000);
        assert!(value("process_open_fds ") > 3);
    })
    .await;
}

/// Each family that is written stands in the manual, and the manual promises nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn the_manual_lists_every_figure() {
    let world = World::start(false, |_| {}).await;
    let text = world.call(Method::GET, "/metrics", None, None).await.text;
    let names = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    let written: BTreeSet<String> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).map(names).collect();
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let is_figure = |name: &str| name.starts_with("assent_") || name.starts_with("process_");
    let listed: BTreeSet<String> = manual
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(['`', '{']).next())
        .filter(|name| is_figure(name))
        .map(str::to_owned)
        .collect();
    assert_eq!(written, listed);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_describes_what_is_served() {
    let world = World::start(false, |_| {}).await;
    let document = world.call(Method::GET, "/openapi.json", None, None).await;
    assert_eq!(document.body["openapi"], "3.1.0");
    assert_eq!(document.body["servers"], json!([{"url": "/"}]));
    assert!(document.body["paths"]["/health"]["get"].is_object());
    assert!(document.body["paths"]["/admin/agents"].is_null());
    world.stop().await;
}
