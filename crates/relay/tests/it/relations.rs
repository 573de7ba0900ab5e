//! Agreeing to agents, changing one's mind, and the ledger that cannot be forged.

use assent_relay_api::ledger::{LedgerRecord, check_next};
use http::Method;
use serde_json::{Value, json};

use crate::{
    agent::{Agent, Relation, entry, events, manifest, saying, signed, told},
    person::Person,
    world::{World, on_both},
};

const TOOLS: &[(&str, &str)] = &[("read_file", "filesystem:read"), ("notify", "notification:send")];

/// An agent, and a person who has agreed to it.
async fn settled(world: &World) -> (Agent, Relation) {
    let (alice, bob) = (world.person("alice").await, world.person("bob").await);
    let agent = world.agent(&alice, manifest(TOOLS)).await;
    let relation = world.relation(&bob, &agent).await;
    (agent, relation)
}

/// Verifies a chain as any reader can. Returns its length.
fn verify(chain: &[Value]) -> usize {
    let records: Vec<LedgerRecord> =
        chain.iter().map(|record| serde_json::from_value(record.clone()).unwrap()).collect();
    let mut previous = None;
    for record in &records {
        record.verify().unwrap();
        check_next(previous, &record.entry).unwrap();
        previous = Some(&record.entry);
    }
    records.len()
}

async fn message(relation: &Relation, id: &str) -> crate::world::Response {
    let message = json!({
        "client_message_id": id,
        "msg_subtype": "text",
        "content_type": "text",
        "envelope": "AAAA",
    });
    let path = format!("/conversations/{}/messages", relation.conversation_id);
    relation.person.call(Method::POST, &path, Some(message)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_agrees_gets_a_conversation_and_both_sides_learn_of_it() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let seen = relation.get().await;
        assert_eq!(seen["state"], "active");
        assert_eq!(seen["granted_scopes"], json!(["filesystem:read", "notification:send"]));
        assert_eq!(seen["manifest_version"], 1);
        assert_eq!((&seen["user_name"], &seen["agent_name"]), (&json!("bob"), &json!("helper")));
        let person = relation.person.told("relation.established", 1).await;
        let other = told(&agent.client, &agent.token, "relation.established", 1).await;
        assert_eq!(person, other);
        assert_eq!(person[0]["conversation_id"], relation.conversation_id);
        assert_eq!(message(&relation, "1").await.status, 201);
        told(&agent.client, &agent.token, "message.new", 1).await;
        assert_eq!(verify(&relation.ledger().await), 1);
        let path = format!("/conversations/{}", relation.conversation_id);
        let conversation = relation.person.call(Method::GET, &path, None).await;
        assert_eq!(conversation.data()["members"].as_array().unwrap().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_consent_again_gives_the_same_answer_and_sends_one_event() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(TOOLS)).await;
        let device = bob.device().await;
        let grant = agent.grant(&bob, &device, &["filesystem:read".to_owned()]).await;
        let first = agent.consent(&bob, &device, grant.clone()).await;
        assert_eq!(first.status, 201);
        // Also after the agent has published another manifest.
        agent.publish(manifest(&TOOLS[..1])).await;
        let again = agent.consent(&bob, &device, grant.clone()).await;
        assert_eq!((again.status.as_u16(), again.data()), (200, first.data()));
        bob.told("relation.established", 1).await;
        let other = agent.grant(&bob, &device, &[]).await;
        let refused = agent.consent(&bob, &device, other).await;
        assert_eq!(refused.refusal(), (409, "CONFLICT"));
        let relation = Relation::of(&bob, device, &agent, first.data());
        assert_eq!(verify(&relation.ledger().await), 1);
        let update = relation.next("update", &[]).await;
        let first = relation.send(&update).await;
        assert_eq!(relation.send(&update).await.data(), first.data());
        bob.told("relation.updated", 1).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn consent_to_an_old_manifest_or_an_undeclared_scope_is_refused() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(TOOLS)).await;
        let device = bob.device().await;
        let stale = agent.grant(&bob, &device, &[]).await;
        agent.publish(manifest(&TOOLS[..1])).await;
        let refused = agent.consent(&bob, &device, stale).await;
        assert_eq!(refused.refusal(), (409, "MANIFEST_CHANGED"));
        let present = agent.get().await["capability_manifest_hash"].clone();
        assert_eq!(refused.body["error"]["params"]["manifest_hash"], present);
        let scopes = ["filesystem:read".to_owned(), "notification:send".to_owned()];
        let beyond = agent.grant(&bob, &device, &scopes).await;
        let refused = agent.consent(&bob, &device, beyond).await;
        assert_eq!(refused.refusal(), (422, "UNKNOWN_SCOPE"));
        assert_eq!(refused.body["error"]["params"]["scopes"], json!(["notification:send"]));
        let nothing = alice.call(Method::POST, "/agents", Some(json!({ "name": "mute" }))).await;
        let mute = Agent::of(&alice, nothing.data());
        let mut grant = serde_json::to_value(agent.grant(&bob, &device, &[]).await).unwrap();
        grant["agent_id"] = json!(mute.agent_id);
        grant["relation_key"] = json!(format!("{}/{}", bob.user_id, mute.agent_id));
        let refused = mute.consent(&bob, &device, entry(&grant)).await;
        assert_eq!(refused.refusal(), (409, "MANIFEST_CHANGED"));
        grant["agent_id"] = json!("agt_01J00000000000000000000000");
        grant["relation_key"] = json!(format!("{}/agt_01J00000000000000000000000", bob.user_id));
        let nobody = Agent { agent_id: "agt_01J00000000000000000000000".to_owned(), ..mute };
        let refused = nobody.consent(&bob, &device, entry(&grant)).await;
        assert_eq!(refused.refusal(), (404, "NOT_FOUND"));
        assert!(events(&bob.client, &bob.token).await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_says_anything_else_than_the_request_and_the_facts_is_refused() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(TOOLS)).await;
        let device = bob.device().await;
        let grant = agent.grant(&bob, &device, &["filesystem:read".to_owned()]).await;
        let honest = saying(&grant, &device);
        let send = async |entry: &Value, signature: &Value| {
            let mut body = honest.clone();
            body["agent_id"] = json!(agent.agent_id);
            body["ledger_entry"] = json!({ "entry": entry, "signature": signature });
            bob.call(Method::POST, "/h2a/relations", Some(body)).await
        };
        let (other_user, other_agent) =
            ("usr_01J00000000000000000000000", "agt_01J00000000000000000000000");
        let changes = [
            ("v", json!(2)),
            ("user_id", json!(other_user)),
            ("agent_id", json!(other_agent)),
            ("relation_key", json!(format!("{other_user}/{}", agent.agent_id))),
            ("device_id", json!("dev_01J00000000000000000000000")),
            ("action", json!("update")),
            ("action", json!("revoke")),
            ("granted_scopes", json!([])),
            ("granted_scopes", json!(["filesystem:read", "filesystem:read"])),
            ("granted_scopes", json!(["filesystem:read", "notification:send"])),
            ("manifest_hash", json!("ab".repeat(32))),
            ("manifest_version", json!(2)),
            ("manifest_version", json!(0)),
            ("issued_at", json!("yesterday")),
            ("issued_at", json!("2999-01-01T00:00:00Z")),
        ];
        for (field, value) in changes {
            let mut changed = serde_json::to_value(&grant).unwrap();
            changed[field] = value.clone();
            // Whether or not the device has signed it.
            let resigned = signed(&entry(&changed), &device)["signature"].clone();
            for signature in [&honest["ledger_entry"]["signature"], &resigned] {
                let refused = send(&changed, signature).await;
                assert_eq!(refused.refusal(), (422, "INVALID_LEDGER_ENTRY"), "{field} {value}");
            }
        }
        let mut other_chain = serde_json::to_value(&grant).unwrap();
        other_chain["prev"] = json!("ab".repeat(32));
        let resigned = signed(&entry(&other_chain), &device)["signature"].clone();
        assert_eq!(send(&other_chain, &resigned).await.refusal(), (409, "LEDGER_CONFLICT"));
        let unsigned = json!("A".repeat(86));
        let refused = send(&honest["ledger_entry"]["entry"], &unsigned).await;
        assert_eq!(refused.refusal(), (422, "INVALID_LEDGER_ENTRY"));
        assert!(events(&bob.client, &bob.token).await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_device_of_the_person_signs_and_only_while_it_is_there() {
    on_both(async |world| {
        let (_, relation) = settled(world).await;
        let carol = world.person("carol").await;
        let hers = carol.device().await;
        let foreign = Relation { device: hers, ..relation.clone() };
        let update = foreign.next("update", &[]).await;
        assert_eq!(foreign.send(&update).await.refusal(), (422, "INVALID_LEDGER_ENTRY"));
        let update = relation.next("update", &[]).await;
        let other = relation.person.logged_in_again().await;
        let path = format!("/devices/{}", relation.device.device_id);
        assert!(other.call(Method::DELETE, &path, None).await.status.is_success());
        let late = Relation { person: other.clone(), ..relation.clone() };
        assert_eq!(late.send(&update).await.refusal(), (422, "INVALID_LEDGER_ENTRY"));
        // What it has signed can be verified for ever.
        assert_eq!(verify(&late.ledger().await), 1);
        let replaced = Relation { device: other.device().await, ..late };
        assert_eq!(replaced.agree(&[]).await.status, 200);
        assert_eq!(verify(&replaced.ledger().await), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_never_forks_however_many_devices_sign_at_once() {
    on_both(async |world| {
        let (_, relation) = settled(world).await;
        let mut updates = Vec::new();
        for number in 0..20 {
            let scopes: &[&str] = if number % 2 == 0 { &[] } else { &["filesystem:read"] };
            let mut update = serde_json::to_value(relation.next("update", scopes).await).unwrap();
            update["issued_at"] = json!(future(number));
            updates.push(update);
        }
        // All of them continue the same entry.
        let mut rivals = tokio::task::JoinSet::new();
        for update in updates {
            let relation = relation.clone();
            rivals.spawn(async move { relation.send(&entry(&update)).await });
        }
        let answers = rivals.join_all().await;
        let (won, lost): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status.is_success());
        assert_eq!(won.len(), 1);
        assert!(lost.iter().all(|answer| answer.refusal() == (409, "LEDGER_CONFLICT")));
        let head = relation.get().await["ledger_head"].clone();
        assert_eq!(lost[0].body["error"]["params"]["ledger_head"], head);
        assert_eq!(verify(&relation.ledger().await), 2);
    })
    .await;
}

/// A time a little ahead, another one for each number.
fn future(number: u64) -> Value {
    use assent_ids::Clock as _;
    let now = assent_ids::SystemClock.now();
    let later = now.after(std::time::Duration::from_millis(1000 + number));
    json!(assent_protocol::wire::Timestamp::from(later))
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_first_consents_at_once_one_counts() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(TOOLS)).await;
        let device = bob.device().await;
        let mut rivals = tokio::task::JoinSet::new();
        for number in 0..10 {
            let (agent, bob, device) = (agent.clone(), bob.clone(), device.clone());
            let mut grant = serde_json::to_value(agent.grant(&bob, &device, &[]).await).unwrap();
            grant["issued_at"] = future(number);
            rivals.spawn(async move { agent.consent(&bob, &device, entry(&grant)).await });
        }
        let answers = rivals.join_all().await;
        let won = answers.iter().filter(|answer| answer.status.is_success()).count();
        assert_eq!(won, 1);
        assert!(
            answers
                .iter()
                .filter(|answer| !answer.status.is_success())
                .all(|answer| answer.refusal() == (409, "CONFLICT"))
        );
        let list = bob.call(Method::GET, "/h2a/relations", None).await;
        assert_eq!(list.data().as_array().unwrap().len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_grant_after_a_revocation_continues_the_conversation_and_the_chain() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let ended = relation.revoke().await;
        assert_eq!(ended.data()["state"], "revoked");
        assert_eq!(ended.data()["granted_scopes"], json!([]));
        for (client, token) in
            [(&relation.person.client, &relation.person.token), (&agent.client, &agent.token)]
        {
            told(client, token, "relation.revoked", 1).await;
        }
        assert_eq!(message(&relation, "1").await.refusal(), (409, "RELATION_INACTIVE"));
        let changed = relation.agree(&[]).await;
        assert_eq!(changed.refusal(), (409, "RELATION_INACTIVE"));
        let twice = relation.revoke().await;
        assert_eq!(twice.refusal(), (422, "INVALID_LEDGER_ENTRY"));
        let grant = relation.next("grant", &["filesystem:read"]).await;
        let again = agent.consent(&relation.person, &relation.device, grant).await;
        assert_eq!(again.status, 201);
        assert_eq!(again.data()["relation_id"], relation.relation_id);
        assert_eq!(again.data()["conversation_id"], relation.conversation_id);
        assert_eq!(message(&relation, "2").await.status, 201);
        // By DELETE, and the same entry twice.
        let entry = relation.next("revoke", &[]).await;
        let body = json!({ "ledger_entry": signed(&entry, &relation.device) });
        for _ in 0..2 {
            let path = relation.path("");
            let ended = relation.person.call(Method::DELETE, &path, Some(body.clone())).await;
            assert_eq!(ended.data()["state"], "revoked");
        }
        relation.person.told("relation.revoked", 2).await;
        assert_eq!(verify(&relation.ledger().await), 4);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_needs_no_look_at_a_new_manifest() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let old = relation.next("revoke", &[]).await;
        agent.publish(manifest(&TOOLS[..1])).await;
        let mut lie = serde_json::to_value(&old).unwrap();
        lie["manifest_version"] = json!(2);
        let body = json!({ "ledger_entry": signed(&entry(&lie), &relation.device) });
        let path = relation.path("/revoke");
        let refused = relation.person.call(Method::POST, &path, Some(body)).await;
        assert_eq!(refused.refusal(), (422, "INVALID_LEDGER_ENTRY"));
        let body = json!({ "ledger_entry": signed(&old, &relation.device) });
        assert_eq!(relation.person.call(Method::POST, &path, Some(body)).await.status, 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_suspends_and_restores_and_the_person_can_leave_meanwhile() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let (owner, person) = (&agent.owner, &relation.person);
        let carol = world.person("carol").await;
        let suspend = async |who: &Person| {
            let body = json!({ "reason": "holidays" });
            who.call(Method::POST, &relation.path("/suspend"), Some(body)).await
        };
        let restore =
            async |who: &Person| who.call(Method::POST, &relation.path("/restore"), None).await;
        assert_eq!(suspend(&carol).await.refusal(), (404, "NOT_FOUND"));
        assert_eq!(suspend(person).await.refusal(), (403, "FORBIDDEN"));
        for _ in 0..2 {
            let suspended = suspend(owner).await;
            assert_eq!(suspended.data()["state"], "suspended");
            assert_eq!(suspended.data()["suspended_by"], "owner");
        }
        let notice = &person.told("relation.suspended", 1).await[0];
        assert_eq!(notice["reason"], "holidays");
        told(&agent.client, &agent.token, "relation.suspended", 1).await;
        assert_eq!(message(&relation, "1").await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(relation.agree(&[]).await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(restore(person).await.refusal(), (403, "FORBIDDEN"));
        for _ in 0..2 {
            let restored = restore(owner).await;
            assert_eq!(restored.data()["state"], "active");
            assert!(restored.data().get("suspended_by").is_none());
        }
        person.told("relation.restored", 1).await;
        assert_eq!(message(&relation, "1").await.status, 201);
        assert_eq!(suspend(owner).await.status, 200);
        assert_eq!(relation.revoke().await.data()["state"], "revoked");
        assert_eq!(restore(owner).await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(suspend(owner).await.refusal(), (409, "RELATION_INACTIVE"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_operator_suspends_only_an_operator_restores() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let owner = &agent.owner;
        let operate = async |what: &str| {
            let path = format!("/admin/relations/{}/{what}", relation.relation_id);
            let because = Some(json!({"reason": "abuse"})).filter(|_| what == "suspend");
            world.operate(Method::POST, &path, because).await
        };
        let act = async |what: &str| owner.call(Method::POST, &relation.path(what), None).await;
        // An operator outweighs the owner, also where the owner was first.
        assert_eq!(act("/suspend").await.data()["suspended_by"], "owner");
        assert_eq!(operate("suspend").await.data()["suspended_by"], "operator");
        assert_eq!(act("/restore").await.refusal(), (403, "FORBIDDEN"));
        assert_eq!(message(&relation, "1").await.refusal(), (409, "RELATION_INACTIVE"));
        assert_eq!(operate("restore").await.data()["state"], "active");
        assert_eq!(message(&relation, "1").await.status, 201);
        // And the owner cannot make it his own suspension meanwhile.
        assert_eq!(operate("suspend").await.data()["suspended_by"], "operator");
        act("/suspend").await;
        assert_eq!(act("/restore").await.refusal(), (403, "FORBIDDEN"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_cannot_tell_whether_there_is_a_relation() {
    on_both(async |world| {
        let (agent, relation) = settled(world).await;
        let carol = world.person("carol").await;
        let other = world.agent(&carol, manifest(TOOLS)).await;
        for rest in ["", "/ledger"] {
            let path = relation.path(rest);
            let nowhere = path.replace(&relation.relation_id, "rel_01J00000000000000000000000");
            for token in [&carol.token, &other.token] {
                let hidden = world.call(Method::GET, &path, Some(token), None).await;
                let absent = world.call(Method::GET, &nowhere, Some(token), None).await;
                assert_eq!(hidden.refusal(), (404, "NOT_FOUND"));
                assert_eq!(hidden.body, absent.body);
            }
            for token in [&agent.owner.token, &agent.token, &relation.person.token] {
                assert_eq!(world.call(Method::GET, &path, Some(token), None).await.status, 200);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_tries_their_own_agent_is_both_sides_at_once() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, manifest(TOOLS)).await;
        let relation = world.relation(&alice, &agent).await;
        let path = relation.path("/suspend");
        assert_eq!(alice.call(Method::POST, &path, None).await.status, 200);
        let path = relation.path("/restore");
        assert_eq!(alice.call(Method::POST, &path, None).await.status, 200);
        assert_eq!(relation.agree(&[]).await.status, 200);
        assert_eq!(relation.revoke().await.status, 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_list_their_relations_and_owners_those_of_their_agents() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let mut own = Vec::new();
        let mut agents = Vec::new();
        for _ in 0..3 {
            let agent = world.agent(&alice, manifest(TOOLS)).await;
            own.insert(0, world.relation(&bob, &agent).await);
            agents.push(agent);
        }
        own[1].revoke().await;
        let list = async |token: &str, query: &str| {
            let path = format!("/h2a/relations{query}");
            world.call(Method::GET, &path, Some(token), None).await
        };
        let ids = |answer: &crate::world::Response| -> Vec<String> {
            let relations = answer.data().as_array().unwrap().iter();
            relations.map(|one| one["relation_id"].as_str().unwrap().to_owned()).collect()
        };
        let expected: Vec<String> = own.iter().map(|one| one.relation_id.clone()).collect();
        assert_eq!(ids(&list(&bob.token, "").await), expected);
        assert!(ids(&list(&alice.token, "").await).is_empty());
        assert_eq!(ids(&list(&bob.token, "?state=revoked").await), expected[1..2]);
        let of_first = format!("?agent_id={}", agents[0].agent_id);
        for token in [&alice.token, &bob.token, &agents[0].token] {
            assert_eq!(ids(&list(token, &of_first).await), expected[2..]);
        }
        assert!(ids(&list(&agents[1].token, &of_first).await).is_empty());
        assert_eq!(ids(&list(&agents[1].token, "").await), expected[1..2]);
        let first = list(&bob.token, "?limit=2").await;
        assert_eq!(ids(&first), expected[..2]);
        let cursor = first.body["next_cursor"].as_str().unwrap();
        let second = list(&bob.token, &format!("?limit=2&cursor={cursor}")).await;
        assert_eq!(ids(&second), expected[2..]);
        assert!(second.body["next_cursor"].is_null());
        let ledger = own[1].path("/ledger?limit=1");
        let first = bob.call(Method::GET, &ledger, None).await;
        let cursor = first.body["next_cursor"].as_str().unwrap();
        let second = bob.call(Method::GET, &format!("{ledger}&cursor={cursor}"), None).await;
        assert_eq!(second.data()[0]["entry"]["action"], "revoke");
        assert!(second.body["next_cursor"].is_null());
    })
    .await;
}
