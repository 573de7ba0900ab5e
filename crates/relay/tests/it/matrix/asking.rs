//! How each operation is asked for, so that nothing but the caller can be the reason for a refusal.

use std::sync::atomic::{AtomicU64, Ordering};

use assent_relay_api::Caller;
use futures_util::future::BoxFuture;
use http::Method;
use serde_json::{Value, json};

use super::{
    cast::Actor,
    scene::{GROUP_WORDS, Scene, agent_keys, consent, message},
};
use crate::{
    agent::{manifest, saying, signed},
    person::{Keys, PASSWORD, fresh_x25519, one_time_prekeys},
};

/// What a request has beyond its method, its path and its token.
#[derive(Default)]
pub(super) struct Ask {
    pub(super) query: String,
    pub(super) body: Option<Value>,
    /// What stands in the path, if it is not what the scene says.
    pub(super) parameter: Option<(&'static str, String)>,
    /// What the caller shows, if it is not what the scene says.
    pub(super) token: Option<String>,
    /// Whether the connection is to become a socket.
    pub(super) upgrade: bool,
}

impl Ask {
    fn query(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    fn body(body: Value) -> Self {
        Self { body: Some(body), ..Self::default() }
    }
}

type Way = for<'a> fn(&'a Scene<'a>, Caller) -> BoxFuture<'a, Ask>;

macro_rules! ways {
    ($($id:literal => |$scene:pat_param, $caller:pat_param| $ask:expr;)*) => {
        /// Every operation, and how it is asked for.
        pub(super) const WAYS: &[(&str, Way)] =
            &[$(($id, |$scene, $caller| Box::pin(async move { $ask }))),*];
    };
}

ways! {
    "register" => |_, _| Ask::body(register());
    "login" => |scene, _| Ask::body(json!({
        "email": scene.cast.founder.person.email, "account_password": PASSWORD, "cookie": false,
    }));
    "refresh" => |_, _| Ask::default();
    "logout" => |scene, caller| with_a_login_of_its_own(scene, caller).await;
    "me" => |_, _| Ask::default();

    "register_device" => |_, _| Ask::body(Keys::fresh().device("another"));
    "list_devices" => |_, _| Ask::default();
    "remove_device" => |scene, caller| a_device_to_remove(scene, caller).await;

    "publish_prekeys" => |scene, caller| Ask::body(prekeys(scene, caller));
    "list_user_devices" => |_, _| Ask::default();
    "get_agent_keys" => |_, _| Ask::default();
    "claim_prekeys" => |scene, _| Ask::body(json!({ "agent_id": scene.agent.agent_id }));
    "put_backup" => |scene, caller| {
        let actor = own_actor(scene, caller);
        // The same again: what is planted stays what it is.
        Ask::body(actor.device.backup(&actor.backup))
    };
    "get_backup" => |_, _| Ask::default();

    "create_agent" => |_, _| Ask::body(json!({ "name": "another" }));
    "get_agent" => |_, _| Ask::default();
    "search_agents" => |_, _| Ask::query("?q=called&limit=100");
    "update_agent" => |_, _| Ask::body(json!({
        "capability_manifest": manifest(&[("look", "files:read"), ("write", "files:write")]),
    }));
    "delete_agent" => |_, _| Ask::default();
    "get_telemetry" => |_, _| Ask::default();
    "create_token" => |_, _| Ask::body(json!({ "scopes": ["manifest:write"] }));
    "list_tokens" => |_, _| Ask::default();
    "revoke_token" => |_, _| Ask::default();
    "register_agent_keys" => |scene, _| Ask::body(agent_keys(&scene.agent_keys, 100));

    "list_manifests" => |_, _| Ask::default();
    "get_manifest" => |_, _| Ask::default();
    "diff_manifests" => |_, _| Ask::query("?from=1&to=2");

    "create_relation" => |scene, caller| {
        let declared = manifest(&[("look", "files:read")]);
        let agent = scene.world.agent(&scene.cast.owner.person, declared).await;
        Ask::body(consent(own_actor(scene, caller), &agent).await)
    };
    "list_relations" => |scene, _| Ask::query(format!("?agent_id={}", scene.agent.agent_id));
    "get_relation" => |_, _| Ask::default();
    "update_relation" => |scene, _| Ask::body(saying(
        &scene.relation.next("update", &[]).await, &scene.relation.device,
    ));
    "revoke_relation" => |scene, _| Ask::body(revocation(scene).await);
    "delete_relation" => |scene, _| Ask::body(revocation(scene).await);
    "suspend_relation" => |_, _| Ask::body(json!({ "reason": "maintenance" }));
    "restore_relation" => |scene, _| suspended(scene).await;
    "get_ledger" => |_, _| Ask::default();

    "list_conversations" => |_, _| Ask::query("?limit=200");
    "create_conversation" => |scene, _| Ask::body(json!({
        "kind": "group", "member_ids": [scene.cast.member.person.user_id], "agent_ids": [],
    }));
    "get_conversation" => |_, _| Ask::default();
    "add_members" => |scene, _| Ask::body(json!({
        "member_ids": [scene.cast.stranger.person.user_id], "agent_ids": [],
    }));
    "remove_member" => |_, _| Ask::default();

    "send_message" => |_, _| Ask::body(message(&fresh_name(), GROUP_WORDS));
    "list_messages" => |_, _| Ask::default();
    "poll_messages" => |_, _| Ask::query("?wait_s=0");

    "rotate_webhook_secret" => |_, _| Ask::default();
    "list_deliveries" => |_, _| Ask::default();
    "redeliver" => |_, _| Ask::default();

    "list_events" => |_, _| Ask::query("?after=0&limit=200");
    "connect_human" => |_, _| Ask { upgrade: true, ..Ask::default() };
    "connect_agent" => |_, _| Ask { upgrade: true, ..Ask::default() };

    "health" => |_, _| Ask::default();
    "ready" => |_, _| Ask::default();
    "metrics" => |_, _| Ask::default();
    "get_openapi" => |_, _| Ask::default();

    "list_all_agents" => |_, _| Ask::default();
    "suspend_agent" => |_, _| Ask::body(json!({ "reason": "abuse" }));
    "restore_agent" => |scene, _| {
        let path = format!("/admin/agents/{}/suspend", scene.agent.agent_id);
        scene.world.operate(Method::POST, &path, None).await.data();
        Ask::default()
    };
    "suspend_any_relation" => |_, _| Ask::body(json!({ "reason": "abuse" }));
    "restore_any_relation" => |scene, _| suspended(scene).await;
    "rotate_signing_keys" => |_, _| Ask::default();
    "back_up" => |scene, _| Ask::body(json!({
        "path": scene.world.data().join(format!("{}.db", fresh_name())),
    }));
}

/// The caller, if it is a person, or else a person for whom it asks.
fn own_actor<'a>(scene: &'a Scene<'_>, caller: Caller) -> &'a Actor {
    scene.cast.actor(caller).unwrap_or(&scene.cast.owner)
}

fn register() -> Value {
    json!({
        "email": format!("{}@example.org", fresh_name()),
        "account_password": PASSWORD,
        "display_name": "somebody",
        "cookie": false,
    })
}

/// An unused name.
fn fresh_name() -> String {
    fresh_x25519().chars().filter(char::is_ascii_alphanumeric).take(20).collect()
}

/// To log out ends a login; the one of the cast goes on.
async fn with_a_login_of_its_own(scene: &Scene<'_>, caller: Caller) -> Ask {
    let Some(actor) = scene.cast.actor(caller) else { return Ask::default() };
    let token = actor.person.logged_in_again().await.token;
    Ask { token: Some(token), ..Ask::default() }
}

/// To remove a device ends the login that registered it; the one of the cast goes on.
async fn a_device_to_remove(scene: &Scene<'_>, caller: Caller) -> Ask {
    let owner = scene.cast.owner.person.logged_in_again().await;
    let device = owner.device().await;
    let parameter = Some(("device_id", device.device_id));
    let token = (caller == Caller::Owner).then_some(owner.token);
    Ask { parameter, token, ..Ask::default() }
}

/// People publish for a device of theirs, agents for themselves.
fn prekeys(scene: &Scene<'_>, caller: Caller) -> Value {
    static NEXT: AtomicU64 = AtomicU64::new(1000);
    let key_id = NEXT.fetch_add(100, Ordering::Relaxed);
    if !caller.is_agent() {
        return own_actor(scene, caller).device.prekeys(key_id);
    }
    json!({ "one_time_prekeys": one_time_prekeys(key_id..key_id + 3) })
}

async fn revocation(scene: &Scene<'_>) -> Value {
    let entry = scene.relation.next("revoke", &[]).await;
    json!({ "ledger_entry": signed(&entry, &scene.relation.device) })
}

/// The relation, suspended by the owner.
async fn suspended(scene: &Scene<'_>) -> Ask {
    let path = scene.relation.path("/suspend");
    scene.cast.owner.person.call(Method::POST, &path, None).await.data();
    Ask::default()
}
