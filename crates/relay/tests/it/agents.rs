//! Making, changing and deleting agents.

use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    agent::{Agent, manifest, told},
    person::{Keys, Person},
    world::{on_both, on_both_with},
};

const FILES: &[(&str, &str)] = &[("read_file", "filesystem:read")];

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_made_with_a_token_and_shows_its_manifest_under_its_hash() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let new = json!({
            "name": "Files",
            "description": "Reads files.",
            "capability_manifest": manifest(FILES),
        });
        let made = alice.call(Method::POST, "/agents", Some(new)).await;
        assert_eq!(made.status, 201);
        assert!(made.data()["token"].as_str().unwrap().starts_with("hsk_"));
        assert_eq!(made.data()["capability_manifest_version"], 1);
        assert!(made.data().get("webhook_secret").is_none());
        let agent = Agent::of(&alice, made.data());
        let bob = world.person("bob").await;
        let seen = bob.call(Method::GET, &agent.path(""), None).await;
        let text = seen.data()["capability_manifest"].to_string();
        let hash = assent_json::digest(text.as_bytes()).unwrap().to_string();
        assert_eq!(seen.data()["capability_manifest_hash"], hash);
        assert_eq!(seen.headers["etag"], format!("\"{hash}\""));
        assert_eq!(seen.data()["owner_name"], "alice");
        assert!(seen.data().get("warnings").is_none(), "that is for the owner");
        let own = alice.call(Method::GET, &agent.path(""), None).await;
        assert_eq!(own.data()["warnings"], json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_is_wrong_with_a_manifest_comes_in_one_answer() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let mut wrong = manifest(&[("read_file", "system:root")]);
        wrong["agent_version"] = json!("one");
        wrong["tools"][0]["name"] = json!("Read File");
        let new = json!({ "name": "wrong", "capability_manifest": wrong });
        let refused = alice.call(Method::POST, "/agents", Some(new)).await;
        assert_eq!(refused.refusal(), (422, "INVALID_MANIFEST"));
        let errors = refused.body["error"]["params"]["errors"].as_array().unwrap();
        let codes: Vec<&str> = errors.iter().map(|error| error["code"].as_str().unwrap()).collect();
        for code in ["BAD_SEMVER", "BAD_TOOL_NAME", "RESERVED_SCOPE"] {
            assert!(codes.contains(&code), "{codes:?}");
        }
        let empty = json!({ "name": "odd", "capability_manifest": {} });
        let refused = alice.call(Method::POST, "/agents", Some(empty)).await;
        assert_eq!(refused.refusal(), (422, "INVALID_MANIFEST"));
        let nobody = alice.call(Method::GET, "/agents?owned=true", None).await;
        assert_eq!(nobody.data(), &json!([]));
    })
    .await;
}

/// A manifest whose canonical form has exactly so many bytes.
fn sized(bytes: usize) -> Value {
    let mut manifest = manifest(FILES);
    manifest["tools"][0]["description_fallback"] = json!("");
    let so_far = assent_json::canonicalize(manifest.to_string().as_bytes()).unwrap().len();
    manifest["tools"][0]["description_fallback"] = json!("x".repeat(bytes - so_far));
    manifest
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_may_have_131072_bytes_and_from_65536_on_its_owner_is_warned() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, sized(65_535)).await;
        let telemetry = async || {
            let answer = alice.call(Method::GET, &agent.path("/telemetry"), None).await;
            answer.data()["warnings"].clone()
        };
        assert_eq!(telemetry().await, json!([]));
        let large = agent.publish(sized(65_536)).await;
        assert_eq!(large.data()["warnings"][0]["code"], "MANIFEST_LARGE");
        let warnings = telemetry().await;
        assert_eq!(warnings[0]["code"], "MANIFEST_LARGE");
        assert_eq!(warnings[0]["params"]["size_bytes"], 65_536);
        assert_eq!(agent.publish(sized(131_072)).await.status, 200);
        let notices = alice.told("agent.telemetry", 2).await;
        assert_eq!(notices[1]["params"]["size_bytes"], 131_072);
        assert_eq!(telemetry().await[0]["since"], warnings[0]["since"]);
        let refused = agent.publish(sized(131_073)).await;
        assert_eq!(refused.refusal(), (413, "MANIFEST_TOO_LARGE"));
        assert_eq!(agent.get().await["capability_manifest_version"], 3);
        assert_eq!(agent.publish(manifest(FILES)).await.status, 200);
        assert_eq!(telemetry().await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_and_an_agent_that_may_change_the_manifest() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(FILES)).await;
        let other = world.agent(&bob, manifest(FILES)).await;
        let publish =
            json!({ "capability_manifest": manifest(&[("read_all", "filesystem:read")]) });
        let patch = async |token: &str, body: &Value| {
            let path = agent.path("");
            agent.client.call(Method::PATCH, &path, Some(token), Some(body.clone())).await
        };
        for token in [&bob.token, &other.token, &agent.token] {
            assert_eq!(patch(token, &publish).await.refusal(), (403, "FORBIDDEN"));
        }
        let scopes = json!({ "scopes": ["manifest:write"], "name": "deploy" });
        let made = alice.call(Method::POST, &agent.path("/tokens"), Some(scopes)).await;
        assert_eq!(made.status, 201);
        let writer = made.data()["token"].as_str().unwrap().to_owned();
        assert_eq!(patch(&writer, &publish).await.data()["capability_manifest_version"], 2);
        let rename = json!({ "name": "mine" });
        assert_eq!(patch(&writer, &rename).await.refusal(), (403, "FORBIDDEN"));
        let history = alice.call(Method::GET, &agent.path("/manifests"), None).await;
        let by: Vec<&Value> =
            history.data().as_array().unwrap().iter().map(|entry| &entry["published_by"]).collect();
        assert_eq!(by, [&json!("agent"), &json!("owner")]);
        assert_eq!(patch(&alice.token, &rename).await.status, 200);
        assert_eq!(agent.get().await["name"], "mine");
        assert_eq!(agent.get().await["capability_manifest_version"], 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_named_stays_and_the_empty_description_goes() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, manifest(FILES)).await;
        let patch = async |body: Value| {
            alice.call(Method::PATCH, &agent.path(""), Some(body)).await.data().clone()
        };
        patch(json!({ "description": "Reads files." })).await;
        patch(json!({ "name": "Files" })).await;
        let seen = agent.get().await;
        assert_eq!(
            (&seen["name"], &seen["description"]),
            (&json!("Files"), &json!("Reads files."))
        );
        let answer = patch(json!({ "description": "" })).await;
        assert_eq!(answer["capability_manifest_version"], 1);
        assert!(agent.get().await.get("description").is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_called_says_where_and_gets_a_secret_once() {
    let allow = |settings: &mut assent_relay::Settings| {
        settings.webhook_allow = "http://127.0.0.1:9".parse().unwrap();
    };
    on_both_with(allow, async |world| {
        let alice = world.person("alice").await;
        let make = async |body: Value| alice.call(Method::POST, "/agents", Some(body)).await;
        let nowhere = make(json!({ "name": "x", "connection_mode": "webhook" })).await;
        assert_eq!(nowhere.refusal(), (422, "VALIDATION_FAILED"));
        for url in ["http://example.org/", "ftp://example.org/", "nonsense", "https://127.0.0.1/"] {
            for field in ["webhook_url", "health_check_url"] {
                let refused = make(json!({ "name": "x", field: url })).await;
                assert_eq!(refused.refusal(), (422, "WEBHOOK_URL_REFUSED"), "{url}");
                let pointer = format!("/{field}");
                assert_eq!(refused.body["error"]["params"]["pointer"], pointer);
            }
        }
        let url = "http://127.0.0.1:9/hook";
        let webhook = json!({ "name": "x", "connection_mode": "webhook", "webhook_url": url });
        let made = make(webhook).await;
        assert!(made.data()["webhook_secret"].as_str().unwrap().starts_with("whsec_"));
        let agent = Agent::of(&alice, made.data());
        assert!(agent.get().await.get("webhook_url").is_none(), "that is for the owner");
        let own = alice.call(Method::GET, &agent.path(""), None).await;
        assert_eq!(own.data()["webhook_url"], url);
        assert_eq!(own.data()["webhook_state"], "reachable");
        let patch = async |body: Value| {
            alice.call(Method::PATCH, &agent.path(""), Some(body)).await.data().clone()
        };
        assert!(
            patch(json!({ "connection_mode": "webhook" })).await.get("webhook_secret").is_none()
        );
        assert!(
            patch(json!({ "connection_mode": "polling" })).await.get("webhook_secret").is_none()
        );
        let again = patch(json!({ "connection_mode": "webhook" })).await;
        assert_ne!(again["webhook_secret"], made.data()["webhook_secret"]);
        let telemetry = alice.call(Method::GET, &agent.path("/telemetry"), None).await;
        assert_eq!(telemetry.data()["webhook"]["state"], "reachable");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_has_ten_tokens_at_most_and_a_revoked_one_means_nothing() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(FILES)).await;
        let make = async |person: &crate::person::Person| {
            person.call(Method::POST, &agent.path("/tokens"), Some(json!({}))).await
        };
        assert_eq!(make(&bob).await.refusal(), (403, "FORBIDDEN"));
        let mut token_id = String::new();
        let mut token = String::new();
        for _ in 0..9 {
            let made = make(&alice).await;
            assert_eq!(made.status, 201);
            token_id = made.data()["token_id"].as_str().unwrap().to_owned();
            token = made.data()["token"].as_str().unwrap().to_owned();
        }
        assert_eq!(make(&alice).await.refusal(), (409, "CONFLICT"));
        let list = alice.call(Method::GET, &agent.path("/tokens"), None).await;
        assert_eq!(list.data().as_array().unwrap().len(), 10);
        assert!(!list.body.to_string().contains("hsk_"));
        let me = async || agent.client.call(Method::GET, &agent.path(""), Some(&token), None).await;
        assert_eq!(me().await.status, 200);
        let path = agent.path(&format!("/tokens/{token_id}"));
        assert_eq!(bob.call(Method::DELETE, &path, None).await.refusal(), (403, "FORBIDDEN"));
        for _ in 0..2 {
            assert_eq!(alice.call(Method::DELETE, &path, None).await.status, 200);
            assert_eq!(me().await.refusal(), (401, "UNAUTHENTICATED"));
        }
        let unknown = agent.path("/tokens/tok_01J00000000000000000000000");
        assert_eq!(alice.call(Method::DELETE, &unknown, None).await.refusal(), (404, "NOT_FOUND"));
        assert_eq!(make(&alice).await.status, 201);
        let list = alice.call(Method::GET, &agent.path("/tokens"), None).await;
        assert!(list.data()[0].get("last_used_at").is_none());
        agent.get().await;
        for _ in 0..100 {
            let list = alice.call(Method::GET, &agent.path("/tokens"), None).await;
            if list.data()[0].get("last_used_at").is_some() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("the use of a token was not noted");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_registers_its_own_keys_and_other_keys_take_the_prekeys_with_them() {
    on_both(async |world| {
        let alice = world.person("alice").await;
        let agent = world.agent(&alice, manifest(FILES)).await;
        let other = world.agent(&alice, manifest(FILES)).await;
        let (keys, path) = (Keys::fresh(), agent.path("/keys/register"));
        let body = |keys: &Keys, ids: std::ops::Range<u64>| {
            json!({
                "public_key": keys.public_key,
                "signing_public_key": keys.signing_public_key,
                "signed_prekey": keys.signed_prekey(ids.start),
                "kem_prekey": keys.kem_prekey,
                "one_time_prekeys": crate::person::one_time_prekeys(ids),
            })
        };
        let first = body(&keys, 0..5);
        let refused = other.call(Method::POST, &path, Some(first.clone())).await;
        assert_eq!(refused.refusal(), (403, "FORBIDDEN"));
        let refused = alice.call(Method::POST, &path, Some(first.clone())).await;
        assert_eq!(refused.refusal(), (403, "FORBIDDEN"));
        let mut weak = first.clone();
        weak["signing_public_key"] = json!("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        let refused = agent.call(Method::POST, &path, Some(weak)).await;
        assert_eq!(refused.refusal(), (422, "INVALID_KEY"));
        for _ in 0..2 {
            let registered = agent.call(Method::POST, &path, Some(first.clone())).await;
            assert_eq!(registered.data()["one_time_prekeys"], 5);
        }
        let more = agent.call(Method::POST, &path, Some(body(&keys, 5..8))).await;
        assert_eq!(more.data()["one_time_prekeys"], 8);
        let fresh = Keys::fresh();
        let replaced = agent.call(Method::POST, &path, Some(body(&fresh, 0..2))).await;
        assert_eq!(replaced.data()["one_time_prekeys"], 2);
        let seen = alice.call(Method::GET, &format!("/keys/agents/{}", agent.agent_id), None).await;
        assert_eq!(seen.data()["public_key"], fresh.public_key);
        assert_eq!(seen.data()["kem_prekey"], fresh.kem_prekey);
        let mut without = body(&fresh, 2..3);
        without.as_object_mut().unwrap().remove("kem_prekey");
        let refused = agent.call(Method::POST, &path, Some(without)).await;
        assert_eq!(refused.refusal(), (400, "BAD_REQUEST"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_agent_takes_its_tokens_and_relations_with_it() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(FILES)).await;
        let relation = world.relation(&bob, &agent).await;
        let stranger = bob.call(Method::DELETE, &agent.path(""), None).await;
        assert_eq!(stranger.refusal(), (403, "FORBIDDEN"));
        for _ in 0..2 {
            assert_eq!(alice.call(Method::DELETE, &agent.path(""), None).await.status, 200);
        }
        let act = agent.call(Method::GET, &agent.path(""), None).await;
        assert_eq!(act.refusal(), (401, "UNAUTHENTICATED"));
        for person in [&alice, &bob] {
            let gone = person.call(Method::GET, &agent.path(""), None).await;
            assert_eq!(gone.refusal(), (404, "NOT_FOUND"));
        }
        assert_eq!(agent.publish(manifest(FILES)).await.refusal(), (404, "NOT_FOUND"));
        assert_eq!(
            bob.call(Method::DELETE, &agent.path(""), None).await.refusal(),
            (404, "NOT_FOUND")
        );
        let notice = &bob.told("relation.revoked", 1).await[0];
        assert_eq!(notice["relation_id"], relation.relation_id);
        assert_eq!(relation.get().await["state"], "revoked");
        assert_eq!(relation.get().await["granted_scopes"], json!([]));
        let message = json!({
            "client_message_id": "1",
            "msg_subtype": "text",
            "content_type": "text",
            "envelope": "AAAA",
        });
        let path = format!("/conversations/{}/messages", relation.conversation_id);
        let refused = bob.call(Method::POST, &path, Some(message)).await;
        assert_eq!(refused.refusal(), (409, "RELATION_INACTIVE"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn telemetry_counts_what_goes_through_an_agent() {
    on_both(async |world| {
        let (alice, bob) = (world.person("alice").await, world.person("bob").await);
        let agent = world.agent(&alice, manifest(FILES)).await;
        let relation = world.relation(&bob, &agent).await;
        let path = format!("/conversations/{}/messages", relation.conversation_id);
        let message = |id: &str, subtype: &str| {
            json!({
                "client_message_id": id,
                "msg_subtype": subtype,
                "content_type": "artifact",
                "envelope": "AAAA",
            })
        };
        for (id, subtype) in [("1", "text"), ("2", "artifact_tool_call")] {
            let sent = agent.call(Method::POST, &path, Some(message(id, subtype))).await;
            assert_eq!(sent.status, 201);
        }
        for _ in 0..2 {
            let answer = message("3", "artifact_response");
            assert!(bob.call(Method::POST, &path, Some(answer)).await.status.is_success());
        }
        for token in [&alice.token, &agent.token] {
            let telemetry =
                world.call(Method::GET, &agent.path("/telemetry"), Some(token), None).await;
            let expected = json!({ "messages_sent": 2, "tool_calls": 1, "messages_received": 1 });
            assert_eq!(telemetry.data()["traffic"], expected);
            assert_eq!(telemetry.data()["relations"]["active"], 1);
        }
        let refused = bob.call(Method::GET, &agent.path("/telemetry"), None).await;
        assert_eq!(refused.refusal(), (403, "FORBIDDEN"));
        told(&agent.client, &agent.token, "message.new", 1).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_owns_as_many_agents_as_are_allowed_however_many_are_made_at_once() {
    on_both_with(
        |settings| settings.limits.agents = 3,
        async |world| {
            let alice = world.person("alice").await;
            let make = async |alice: Person| {
                alice.call(Method::POST, "/agents", Some(json!({"name": "Files"}))).await
            };
            let mut tries = JoinSet::new();
            for _ in 0..8 {
                let alice = alice.clone();
                tries.spawn(async move {
                    alice.call(Method::POST, "/agents", Some(json!({"name": "Files"}))).await
                });
            }
            let answers = tries.join_all().await;
            let made: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
            let refused = answers.iter().filter(|answer| answer.status != 201);
            assert!(refused.clone().all(|answer| answer.refusal() == (409, "AGENT_LIMIT")));
            assert_eq!((made.len(), refused.count()), (3, 5));
            let bob = world.person("bob").await;
            assert_eq!(make(bob).await.status, 201, "everybody has a limit of their own");
            let path = format!("/agents/{}", made[0].data()["agent_id"].as_str().unwrap());
            assert_eq!(alice.call(Method::DELETE, &path, None).await.status, 200);
            assert_eq!(make(alice.clone()).await.status, 201);
            assert_eq!(make(alice).await.refusal(), (409, "AGENT_LIMIT"));
        },
    )
    .await;
}
