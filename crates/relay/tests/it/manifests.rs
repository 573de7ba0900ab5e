//! Publishing manifests: versions, history, comparison.

use std::collections::BTreeSet;

use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, manifest},
    world::{Client, Response, World, on_both},
};

const FILES: &[(&str, &str)] = &[("read_file", "filesystem:read")];

/// A manifest that differs from every other number's.
fn numbered(number: usize) -> Value {
    let mut manifest = manifest(FILES);
    manifest["agent_version"] = json!(format!("1.0.{number}"));
    manifest
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_manifest_again_changes_nothing_however_it_is_written() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, manifest(FILES)).await;
        let mut rewritten = manifest(FILES);
        rewritten["tools"][0]["timeout_ms"] = json!(1000);
        assert_eq!(agent.publish(rewritten).await.data()["capability_manifest_version"], 2);
        // 1e3 is 1000, and the order of fields means nothing.
        let text = format!(r#"{{"capability_manifest":{}}}"#, manifest(FILES))
            .replace(r#""name":"read_file""#, r#""timeout_ms":1e3,"name":"read_file""#);
        let request = Request::builder()
            .method(Method::PATCH)
            .uri(agent.path(""))
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {}", alice.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(text)));
        let again = world.send(request.unwrap()).await;
        assert_eq!(again.data()["capability_manifest_version"], 2);
        assert_eq!(again.data()["changes"], json!([]));
        let history = alice.call(Method::GET, &agent.path("/manifests"), None).await;
        assert_eq!(history.data().as_array().unwrap().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_was_made_for_another_manifest_loses_the_race() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, numbered(0)).await;
        let first = agent.get().await["capability_manifest_hash"].as_str().unwrap().to_owned();
        let patch = async |if_match: String, body: Value| {
            let request = Request::builder()
                .method(Method::PATCH)
                .uri(agent.path(""))
                .header(header::HOST, "localhost")
                .header(header::AUTHORIZATION, format!("Bearer {}", alice.token))
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::IF_MATCH, if_match)
                .body(Full::new(Bytes::from(body.to_string())));
            world.send(request.unwrap()).await
        };
        let body = |number| json!({ "capability_manifest": numbered(number) });
        assert_eq!(patch(format!("\"{first}\""), body(1)).await.status, 200);
        let late = patch(format!("\"{first}\""), body(2)).await;
        assert_eq!(late.refusal(), (412, "PRECONDITION_FAILED"));
        let late = patch(format!("\"{first}\""), json!({ "name": "late" })).await;
        assert_eq!(late.refusal(), (412, "PRECONDITION_FAILED"));
        assert_eq!(patch(first, body(2)).await.refusal(), (400, "BAD_REQUEST"));
        assert_eq!(patch("*".to_owned(), body(2)).await.status, 200);
        assert_eq!(agent.get().await["capability_manifest_version"], 3);
    })
    .await;
}

/// Publishes `manifests` manifests at once, in turn through each of `nodes`.
async fn publish_at_once(agent: &Agent, nodes: &[Client], manifests: usize) -> Vec<Response> {
    let mut publications = tokio::task::JoinSet::new();
    for number in 1..=manifests {
        let (node, token) = (nodes[number % nodes.len()], agent.owner.token.clone());
        let path = agent.path("");
        publications.spawn(async move {
            let body = json!({ "capability_manifest": numbered(number) });
            node.call(Method::PATCH, &path, Some(&token), Some(body)).await
        });
    }
    publications.join_all().await
}

async fn expect_no_gaps(agent: &Agent, answers: &[Response], manifests: u64) {
    let versions: BTreeSet<u64> = answers
        .iter()
        .map(|answer| answer.data()["capability_manifest_version"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, (2..=manifests + 1).collect::<BTreeSet<u64>>());
    let mut hashes = BTreeSet::new();
    for version in 1..=manifests + 1 {
        let path = agent.path(&format!("/manifests/{version}"));
        let published = agent.owner.call(Method::GET, &path, None).await;
        let text = published.data()["capability_manifest"].to_string();
        let hash = assent_json::digest(text.as_bytes()).unwrap().to_string();
        assert_eq!(published.data()["hash"], hash);
        hashes.insert(hash);
    }
    assert_eq!(hashes.len() as u64, manifests + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_publications_at_once_get_fifty_versions_in_a_row() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, numbered(0)).await;
        let answers = publish_at_once(&agent, &[world.client()], 50).await;
        expect_no_gaps(&agent, &answers, 50).await;
        // Every comparison was with the manifest that came just before.
        let path = agent.path("/manifests?limit=200");
        let history = alice.call(Method::GET, &path, None).await;
        assert_eq!(history.data().as_array().unwrap().len(), 51);
        for answer in answers {
            let version = answer.data()["capability_manifest_version"].as_u64().unwrap();
            let path = agent.path(&format!("/manifests/diff?to={version}"));
            let diff = alice.call(Method::GET, &path, None).await;
            assert_eq!(diff.data()["changes"], answer.data()["changes"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_that_publish_for_one_agent_judge_again_instead_of_leaving_gaps() {
    let world = World::start(true, |_| {}).await;
    let second = world.second_node().await;
    let alice = world.person("alice").await;
    let agent = world.agent(&alice, numbered(0)).await;
    let nodes = [world.client(), Client::of(second.address())];
    let answers = publish_at_once(&agent, &nodes, 20).await;
    expect_no_gaps(&agent, &answers, 20).await;
    second.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn any_two_manifests_can_be_compared_and_a_breaking_change_has_a_witness() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(FILES)).await;
        let mut narrowed = manifest(FILES);
        narrowed["tools"][0]["input_schema"]["required"] = json!(["path"]);
        let published = agent.publish(narrowed).await;
        let breaking = published.data()["breaking_changes"].as_array().unwrap().clone();
        assert_eq!(breaking.len(), 1);
        assert_eq!(breaking[0]["rule"], "input-required-added");
        assert_eq!(breaking[0]["witness"], json!({}));
        agent
            .publish(manifest(&[("read_file", "filesystem:read"), ("list", "filesystem:read")]))
            .await;
        let diff = async |query: &str| {
            alice.call(Method::GET, &agent.path(&format!("/manifests/diff{query}")), None).await
        };
        let second = diff("?from=1&to=2").await;
        assert_eq!(second.data()["breaking_changes"], json!(breaking));
        assert_eq!(second.data()["scopes_requiring_reauth"], json!(["filesystem:read"]));
        let across = diff("?from=1&to=3").await;
        assert_eq!(across.data()["breaking"], false);
        assert_eq!(across.data()["changes"][0]["kind"], "tool_added");
        let latest = diff("").await;
        assert_eq!((&latest.data()["from"], &latest.data()["to"]), (&json!(2), &json!(3)));
        assert_eq!(diff("?from=1&to=1").await.data()["changes"], json!([]));
        for nowhere in ["?from=0&to=1", "?to=4", "?from=9"] {
            assert_eq!(diff(nowhere).await.refusal(), (404, "NOT_FOUND"));
        }
        for path in ["/manifests", "/manifests/1", "/manifests/diff"] {
            let stranger = bob.call(Method::GET, &agent.path(path), None).await;
            assert_eq!(stranger.refusal(), (403, "FORBIDDEN"));
            assert!(agent.call(Method::GET, &agent.path(path), None).await.status.is_success());
        }
        world.relation(&bob, &agent).await;
        assert!(bob.call(Method::GET, &agent.path("/manifests"), None).await.status.is_success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_comes_in_pages_newest_first() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, numbered(0)).await;
        for number in 1..5 {
            agent.publish(numbered(number)).await;
        }
        let mut versions = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = agent.path(&format!("/manifests?limit=2&cursor={cursor}"));
            let page = alice.call(Method::GET, &path, None).await;
            let entries = page.data().as_array().unwrap().clone();
            versions.extend(entries.iter().map(|entry| entry["version"].as_u64().unwrap()));
            match page.body["next_cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(versions, [5, 4, 3, 2, 1]);
        let path = agent.path("/manifests?cursor=nonsense");
        let refused = alice.call(Method::GET, &path, None).await;
        assert_eq!(refused.refusal(), (422, "VALIDATION_FAILED"));
    })
    .await;
}
