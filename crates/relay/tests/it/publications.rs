//! An agent learns of every manifest that is published for it, on every way that events reach it.

use assent_test_relay::{Address, Socket};
use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, manifest, told},
    webhooks::{Called, Receiver},
    world::{Response, World, on_both},
};

const CHANGED: &str = "agent.capability_changed";
const FIRST: &[(&str, &str)] = &[("look", "files:read")];
const SECOND: &[(&str, &str)] = &[("look", "files:read"), ("list", "files:read")];
const THIRD: &[(&str, &str)] = &[("look", "files:read"), ("find", "files:read")];

/// The event about a publication that answered this.
fn notice(published: &Response) -> Value {
    let data = published.data();
    json!({
        "agent_id": data["agent_id"],
        "manifest_version": data["capability_manifest_version"],
        "manifest_hash": data["capability_manifest_hash"],
    })
}

async fn told_of_publications(agent: &Agent, count: usize) -> Vec<Value> {
    told(&agent.client, &agent.token, CHANGED, count).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_gets_an_event_for_every_manifest_also_for_its_own() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let made = ada.call(Method::POST, "/agents", Some(json!({ "name": "bare" }))).await;
        let agent = Agent::of(&ada, made.data());
        let first = agent.publish(manifest(FIRST)).await;
        let second = agent.publish(manifest(SECOND)).await;
        // The same again is no publication.
        agent.publish(manifest(SECOND)).await.data();
        assert_eq!(told_of_publications(&agent, 2).await, [notice(&first), notice(&second)]);
        // It may run as several processes, of which one published.
        let scopes = json!({ "scopes": ["manifest:write"] });
        let token = ada.call(Method::POST, &agent.path("/tokens"), Some(scopes)).await;
        let token = token.data()["token"].as_str().unwrap().to_owned();
        let body = json!({ "capability_manifest": manifest(THIRD) });
        let third = world.call(Method::PATCH, &agent.path(""), Some(&token), Some(body)).await;
        assert_eq!(told_of_publications(&agent, 3).await[2], notice(&third));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_made_with_a_manifest_gets_no_event() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let agent = world.agent(&ada, manifest(FIRST)).await;
        assert_eq!(told_of_publications(&agent, 0).await, Vec::<Value>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_agent_gets_the_event_at_once_by_socket_and_by_long_poll() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let agent = world.agent(&ada, manifest(FIRST)).await;
        let relay = Address(world.address());
        let socket_path = format!("agent?agent_id={}", agent.agent_id);
        let mut socket = Socket::connect(relay, &socket_path, &agent.token, None).await.unwrap();
        let waiting = tokio::spawn({
            let agent = agent.clone();
            async move {
                agent.call(Method::GET, &agent.path("/messages/poll?wait_s=20"), None).await
            }
        });
        let published = agent.publish(manifest(SECOND)).await;
        let pushed = socket.next().await.unwrap();
        assert_eq!((pushed.kind.as_str(), pushed.data), (CHANGED, notice(&published)));
        let polled = waiting.await.unwrap();
        let event = &polled.data()[0];
        assert_eq!((&event["type"], &event["data"]), (&json!(CHANGED), &notice(&published)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_called_is_called_about_its_manifest() {
    for postgres in [false, true] {
        let receiver = Receiver::default();
        let origin = receiver.listen().await;
        let allow = |settings: &mut assent_relay::Settings| {
            settings.webhook_allow = origin.parse().unwrap();
        };
        let world = World::start(postgres, allow).await;
        let called = Called::meet(&world, &origin).await;
        let path = format!("/agents/{}", called.agent.agent_id);
        let body = json!({ "capability_manifest": manifest(FIRST) });
        let published =
            world.call(Method::PATCH, &path, Some(&called.person.token), Some(body)).await;
        // About the relation, the manifest, and that people have to agree again.
        let calls = receiver.wait_for(3).await;
        let about: Vec<Value> = calls.iter().map(crate::webhooks::Call::json).collect();
        let about = about.iter().find(|call| call["type"] == CHANGED).unwrap();
        assert_eq!(about["data"], notice(&published));
        world.stop().await;
    }
}
