//! What happens to people when an agent changes what it declares.

use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, Relation, events, manifest, told},
    world::{World, on_both},
};

const FILES: &[(&str, &str)] = &[("read_file", "filesystem:read")];
const MORE: &[(&str, &str)] = &[("read_file", "filesystem:read"), ("notify", "notification:send")];
const RENAMED: &[(&str, &str)] = &[("read_file", "filesystem:read"), ("list", "filesystem:read")];

async fn settled(world: &World, people: usize) -> (Agent, Vec<Relation>) {
    let alice = world.person("alice").await;
    let agent = world.agent(&alice, manifest(FILES)).await;
    let mut relations = Vec::new();
    for number in 0..people {
        let person = world.person(&format!("person{number}")).await;
        relations.push(world.relation(&person, &agent).await);
    }
    (agent, relations)
}

/// A manifest in which the field of the tool has to be given.
fn narrowed(tools: &[(&str, &str)]) -> Value {
    let mut manifest = manifest(tools);
    manifest["tools"][0]["input_schema"]["required"] = json!(["path"]);
    manifest
}

/// What people answered to changes, as soon as there are `count` answers. The agent got an event for each of two publications too.
async fn answers(agent: &Agent, count: usize) -> Vec<Value> {
    let mut told = told(&agent.client, &agent.token, "agent.capability_changed", 2 + count).await;
    told.retain(|event| event.get("user_id").is_some());
    assert_eq!(told.len(), count);
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaking_change_sends_one_event_to_every_active_relation_and_the_agent() {
    on_both(async |world| {
        let (agent, relations) = settled(world, 3).await;
        relations[2].revoke().await;
        let published = agent.publish(narrowed(FILES)).await;
        let expected = json!({
            "agent_id": agent.agent_id,
            "new_manifest_version": 2,
            "new_manifest_hash": published.data()["capability_manifest_hash"],
            "scopes_requiring_reauth": ["filesystem:read"],
        });
        for relation in &relations[..2] {
            let told = relation.person.told("h2a.reauth_required", 1).await;
            assert_eq!(told[0], expected);
            assert_eq!(relation.get().await["scopes_requiring_reauth"], json!(["filesystem:read"]));
        }
        let seen = told(&agent.client, &agent.token, "h2a.reauth_required", 1).await;
        assert_eq!(seen[0], expected);
        let gone = &relations[2].person;
        let events = events(&gone.client, &gone.token).await;
        assert!(events.iter().all(|event| event["type"] != "h2a.reauth_required"));
        let telemetry = agent.call(Method::GET, &agent.path("/telemetry"), None).await;
        assert_eq!(telemetry.data()["relations"]["awaiting_reauth"], 2);
        // The same manifest again is no change.
        agent.publish(narrowed(FILES)).await;
        relations[0].person.told("h2a.reauth_required", 1).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_breaks_nothing_is_mentioned_and_asks_nothing() {
    on_both(async |world| {
        let (agent, relations) = settled(world, 1).await;
        let published = agent.publish(manifest(RENAMED)).await;
        assert_eq!(published.data()["breaking_changes"], json!([]));
        let person = &relations[0].person;
        let mentioned = person.told("agent.capability_changed", 1).await;
        assert_eq!(mentioned[0]["manifest_version"], 2);
        assert!(mentioned[0].get("accepted").is_none());
        assert_eq!(relations[0].get().await["scopes_requiring_reauth"], json!([]));
        let events = events(&person.client, &person.token).await;
        assert!(events.iter().all(|event| event["type"] != "h2a.reauth_required"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_agrees_again_is_asked_no_more_and_the_agent_learns_the_answer() {
    on_both(async |world| {
        let (agent, relations) = settled(world, 2).await;
        let [yes, no] = &*relations else { panic!("two people") };
        agent.publish(manifest(MORE)).await;
        agent.publish(narrowed(MORE)).await;
        for relation in &relations {
            let told = relation.person.told("h2a.reauth_required", 2).await;
            // What has to be agreed to adds up.
            let all = json!(["filesystem:read", "notification:send"]);
            assert_eq!(told[1]["scopes_requiring_reauth"], all);
        }
        let all = ["filesystem:read", "notification:send"];
        assert_eq!(yes.agree(&all).await.data()["manifest_version"], 3);
        assert_eq!(no.agree(&["notification:send"]).await.status, 200);
        for relation in &relations {
            assert_eq!(relation.get().await["scopes_requiring_reauth"], json!([]));
            relation.person.told("relation.updated", 1).await;
        }
        let told = answers(&agent, 2).await;
        assert_eq!(told[0]["user_id"], yes.person.user_id);
        assert_eq!(told[0]["accepted"], true);
        assert_eq!(told[1]["accepted"], false);
        assert_eq!(told[1]["granted_scopes"], json!(["notification:send"]));
        // Another mind about the same manifest is no answer to a change.
        yes.agree(&[]).await;
        yes.person.told("relation.updated", 2).await;
        answers(&agent, 2).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scopes_can_be_taken_back_before_a_new_manifest_is_agreed_to() {
    on_both(async |world| {
        let (agent, relations) = settled(world, 1).await;
        let relation = &relations[0];
        relation.agree(&["filesystem:read"]).await.data();
        let before = relation.get().await;
        let mut entry = relation.next("update", &["filesystem:read"]).await;
        agent.publish(narrowed(MORE)).await;
        relation.person.told("h2a.reauth_required", 1).await;
        // The manifest that was agreed to grants nothing in addition.
        entry.granted_scopes.push("notification:send".parse().unwrap());
        assert_eq!(relation.send(&entry).await.refusal(), (409, "MANIFEST_CHANGED"));
        entry.granted_scopes.truncate(1);
        assert_eq!(relation.send(&entry).await.status, 200);
        // What has to be agreed to again is still the same.
        let after = relation.get().await;
        assert_eq!(after["scopes_requiring_reauth"], json!(["filesystem:read"]));
        assert_eq!(after["manifest_hash"], before["manifest_hash"]);
        entry.prev = Some(after["ledger_head"].as_str().unwrap().parse().unwrap());
        entry.granted_scopes.clear();
        assert_eq!(relation.send(&entry).await.data()["granted_scopes"], json!([]));
        assert_eq!(relation.get().await["scopes_requiring_reauth"], json!([]));
        relation.person.told("relation.updated", 3).await;
        // Only the publication, and no answer to it.
        told(&agent.client, &agent.token, "agent.capability_changed", 1).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_with_a_suspended_relation_is_asked_when_it_is_restored() {
    on_both(async |world| {
        let (agent, relations) = settled(world, 2).await;
        let [suspended, active] = &*relations else { panic!("two people") };
        let owner = &agent.owner;
        owner.call(Method::POST, &suspended.path("/suspend"), None).await;
        agent.publish(narrowed(FILES)).await;
        active.person.told("h2a.reauth_required", 1).await;
        let before = events(&suspended.person.client, &suspended.person.token).await;
        assert!(before.iter().all(|event| event["type"] != "h2a.reauth_required"));
        for relation in &relations {
            owner.call(Method::POST, &relation.path("/suspend"), None).await;
            owner.call(Method::POST, &relation.path("/restore"), None).await;
        }
        let told = suspended.person.told("h2a.reauth_required", 1).await;
        assert_eq!(told[0]["new_manifest_version"], 2);
        active.person.told("relation.restored", 1).await;
        active.person.told("h2a.reauth_required", 1).await;
    })
    .await;
}

/// A person who agrees while another manifest is published has either agreed to the new one, or lost the race,
/// or is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn no_consent_slips_through_beside_a_publication() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, manifest(FILES)).await;
        let mut consents = Vec::new();
        for number in 0..24 {
            let person = world.person(&format!("person{number}")).await;
            let device = person.device().await;
            let grant = agent.grant(&person, &device, &["filesystem:read".to_owned()]).await;
            consents.push((person, device, grant));
        }
        let mut running = tokio::task::JoinSet::new();
        for (number, (person, device, grant)) in consents.into_iter().enumerate() {
            let agent = agent.clone();
            running.spawn(async move {
                if number == 8 {
                    agent.publish(narrowed(FILES)).await.data();
                }
                let answer = agent.consent(&person, &device, grant).await;
                (person, answer)
            });
        }
        for (person, answer) in running.join_all().await {
            if answer.status.is_success() {
                person.told("h2a.reauth_required", 1).await;
            } else {
                assert_eq!(answer.refusal(), (409, "MANIFEST_CHANGED"));
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn news_that_were_not_sent_before_a_stop_are_sent_after_the_start() {
    for postgres in [false, true] {
        let world = World::start(postgres, |_| {}).await;
        let (agent, relations) = settled(&world, 2).await;
        agent.publish(narrowed(FILES)).await;
        let world = world.restarted().await;
        let client = world.client();
        for relation in &relations {
            told(&client, &relation.person.token, "h2a.reauth_required", 1).await;
        }
        world.stop().await;
    }
}
