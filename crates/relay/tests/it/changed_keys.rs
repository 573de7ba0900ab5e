//! People learn that an agent has registered other keys.

use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, events, manifest},
    person::Keys,
    world::on_both,
};

const FILES: &[(&str, &str)] = &[("read_file", "filesystem:read")];
const CHANGED: &str = "agent.keys_changed";

/// Registers `keys` and returns when they were registered.
async fn register(agent: &Agent, keys: &Keys) -> Value {
    let body = json!({
        "public_key": keys.public_key,
        "signing_public_key": keys.signing_public_key,
        "kem_prekey": keys.kem_prekey,
    });
    let answer = agent.call(Method::POST, &agent.path("/keys/register"), Some(body)).await;
    answer.data()["registered_at"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn other_keys_of_an_agent_are_an_event_for_everyone_with_an_active_relation() {
    on_both(async |world| {
        let owner = world.person("owner").await;
        let agent = world.agent(&owner, manifest(FILES)).await;
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        world.relation(&ada, &agent).await;
        world.relation(&bob, &agent).await.revoke().await;
        let first = Keys::fresh();
        register(&agent, &first).await;
        register(&agent, &first).await;
        let mut expected = Vec::new();
        for keys in [Keys::fresh(), first] {
            world.advance(std::time::Duration::from_secs(1));
            let registered_at = register(&agent, &keys).await;
            expected.push(json!({ "agent_id": agent.agent_id, "registered_at": registered_at }));
            assert_eq!(ada.told(CHANGED, expected.len()).await, expected);
        }
        assert_ne!(expected[0], expected[1]);
        for other in [&bob, &owner] {
            let events = events(&other.client, &other.token).await;
            assert!(events.iter().all(|event| event["type"] != CHANGED), "{events:?}");
        }
    })
    .await;
}
