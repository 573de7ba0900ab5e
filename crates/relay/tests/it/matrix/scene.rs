//! The data that one operation is about: new for each operation, so that no other one changes it.

use assent_relay_api::{Caller, Described};
use http::Method;
use serde_json::{Value, json};

use super::cast::{Actor, Cast};
use crate::{
    agent::{Agent, Relation, manifest, saying},
    person::{Keys, one_time_prekeys},
    world::World,
};

/// An agent of the owner's with which the person has a relation, and a group with another agent of the
/// same owner's. Each of the two agents is the other one where the other is asked for.
pub(super) struct Scene<'a> {
    pub(super) world: &'a World,
    pub(super) cast: &'a Cast,
    pub(super) agent: Agent,
    pub(super) agent_keys: Keys,
    pub(super) writer: Token,
    pub(super) spare: Token,
    pub(super) relation: Relation,
    pub(super) grouped: Agent,
    pub(super) grouped_writer: Token,
    pub(super) group: String,
    pub(super) group_relation: Relation,
    pub(super) delivery: Option<String>,
    /// Whether the thing of the path is the group.
    is_about_group: bool,
}

/// A token of an agent, and its name.
pub(super) struct Token {
    pub(super) id: String,
    pub(super) secret: String,
}

/// What is said in private, and in the group.
pub(super) const PRIVATE_WORDS: &str = "cHJpdmF0ZSB3b3Jkcw==";
pub(super) const GROUP_WORDS: &str = "d29yZHMgaW4gdGhlIGdyb3Vw";

/// Where deliveries go: a path on the origin of the receiver.
pub(super) const HOOK: &str = "/hook/known-to-the-owner";

impl<'a> Scene<'a> {
    pub(super) async fn set(
        world: &'a World,
        cast: &'a Cast,
        origin: &str,
        operation: &Described,
    ) -> Self {
        let agent = called(cast, origin).await;
        let agent_keys = register_keys(&agent).await;
        let (writer, spare) = (token(&agent, "manifest:write").await, token(&agent, "").await);
        publish_another(&agent).await;
        let relation = relate(&cast.person, &agent).await;
        say(&cast.person, &relation.conversation_id, PRIVATE_WORDS).await;
        let grouped = world.agent(&cast.owner.person, manifest(&[("look", "files:read")])).await;
        register_keys(&grouped).await;
        let grouped_writer = token(&grouped, "manifest:write").await;
        relate(&cast.person, &grouped).await;
        let group_relation = relate(&cast.founder, &grouped).await;
        let group = found(cast, &grouped).await;
        say(&cast.member, &group, GROUP_WORDS).await;
        let delivery = delivered(&agent).await;
        let is_about_group = operation.path.contains("{conversation_id}");
        Self {
            world,
            cast,
            agent,
            agent_keys,
            writer,
            spare,
            relation,
            grouped,
            grouped_writer,
            group,
            group_relation,
            delivery,
            is_about_group,
        }
    }

    /// What stands in a path under this name.
    pub(super) fn parameter(&self, name: &str) -> String {
        match name {
            "agent_id" => self.agent.agent_id.clone(),
            "token_id" => self.spare.id.clone(),
            "relation_id" => self.relation.relation_id.clone(),
            "conversation_id" => self.group.clone(),
            // The agent asks to remove itself, other callers to remove another member.
            "member_id" => self.grouped.agent_id.clone(),
            "user_id" => self.cast.person.person.user_id.clone(),
            "device_id" => self.cast.owner.device.device_id.clone(),
            "delivery_id" => self.delivery.clone().expect("a delivery"),
            "version" => "1".to_owned(),
            other => panic!("no scene has a `{other}`: say here what it is"),
        }
    }

    /// The agent that the thing is, or that is in it.
    pub(super) const fn concerned(&self) -> (&Agent, &Token) {
        if self.is_about_group {
            (&self.grouped, &self.grouped_writer)
        } else {
            (&self.agent, &self.writer)
        }
    }

    /// The agent that has nothing to do with it.
    pub(super) const fn unconcerned(&self) -> &Agent {
        if self.is_about_group { &self.agent } else { &self.grouped }
    }

    /// What this caller may show: everything that makes it this caller.
    pub(super) fn tokens(&self, caller: Caller) -> Vec<Option<String>> {
        let some = |token: &str| vec![Some(token.to_owned())];
        match caller {
            Caller::Anonymous | Caller::Operator => vec![None],
            Caller::Impostor => {
                let tokens = [&self.cast.owner.person.token, &self.concerned().0.token];
                tokens.into_iter().map(|token| Some(forged(token))).collect()
            }
            Caller::Late => {
                self.cast.all().into_iter().map(|actor| Some(actor.late.clone())).collect()
            }
            Caller::OtherAgent => some(&self.unconcerned().token),
            Caller::Agent => some(&self.concerned().0.token),
            Caller::AgentWithManifestWrite => some(&self.concerned().1.secret),
            person => some(&self.cast.actor(person).expect("a person").person.token),
        }
    }
}

/// A token that differs from a good one in one letter, where every bit counts.
fn forged(token: &str) -> String {
    let (head, last) = token.split_at(token.len() - 10);
    let (letter, rest) = last.split_at(1);
    format!("{head}{}{rest}", if letter == "A" { "B" } else { "A" })
}

async fn called(cast: &Cast, origin: &str) -> Agent {
    let owner = &cast.owner.person;
    let body = json!({
        "name": "called",
        "connection_mode": "webhook",
        "webhook_url": format!("{origin}{HOOK}"),
        "capability_manifest": manifest(&[("look", "files:read")]),
    });
    Agent::of(owner, owner.call(Method::POST, "/agents", Some(body)).await.data())
}

async fn register_keys(agent: &Agent) -> Keys {
    let keys = Keys::fresh();
    let body = agent_keys(&keys, 1);
    agent.call(Method::POST, &agent.path("/keys/register"), Some(body)).await.data();
    keys
}

/// The body that registers the keys of an agent.
pub(super) fn agent_keys(keys: &Keys, key_id: u64) -> Value {
    json!({
        "public_key": keys.public_key,
        "signing_public_key": keys.signing_public_key,
        "signed_prekey": keys.signed_prekey(key_id),
        "kem_prekey": keys.kem_prekey,
        "one_time_prekeys": one_time_prekeys(key_id..key_id + 20),
    })
}

async fn token(agent: &Agent, scope: &str) -> Token {
    let scopes: Vec<&str> = Some(scope).into_iter().filter(|scope| !scope.is_empty()).collect();
    let body = Some(json!({ "scopes": scopes }));
    let made = agent.owner.call(Method::POST, &agent.path("/tokens"), body).await;
    let text = |name: &str| made.data()[name].as_str().unwrap().to_owned();
    Token { id: text("token_id"), secret: text("token") }
}

async fn publish_another(agent: &Agent) {
    let another = manifest(&[("look", "files:read"), ("list", "files:read")]);
    agent.publish(another).await.data();
}

/// A request body that agrees to everything that an agent declares.
pub(super) async fn consent(actor: &Actor, agent: &Agent) -> Value {
    let scopes = agent.scopes().await;
    let entry = agent.grant(&actor.person, &actor.device, &scopes).await;
    let mut body = saying(&entry, &actor.device);
    body["agent_id"] = json!(agent.agent_id);
    body
}

async fn relate(actor: &Actor, agent: &Agent) -> Relation {
    let body = consent(actor, agent).await;
    let granted = actor.person.call(Method::POST, "/h2a/relations", Some(body)).await;
    Relation::of(&actor.person, actor.device.clone(), agent, granted.data())
}

async fn found(cast: &Cast, agent: &Agent) -> String {
    let body = json!({
        "kind": "group",
        "member_ids": [cast.member.person.user_id],
        "agent_ids": [agent.agent_id],
    });
    let made = cast.founder.person.call(Method::POST, "/conversations", Some(body)).await;
    made.data()["conversation_id"].as_str().unwrap().to_owned()
}

async fn say(actor: &Actor, conversation_id: &str, envelope: &str) {
    let path = format!("/conversations/{conversation_id}/messages");
    actor.person.call(Method::POST, &path, Some(message("first", envelope))).await.data();
}

/// The body of a message.
pub(super) fn message(client_message_id: &str, envelope: &str) -> Value {
    json!({
        "client_message_id": client_message_id,
        "msg_subtype": "text",
        "content_type": "text",
        "envelope": envelope,
    })
}

/// A delivery that has arrived.
async fn delivered(agent: &Agent) -> Option<String> {
    let path = agent.path("/webhooks/deliveries?state=delivered");
    for _ in 0..500 {
        let answer = agent.owner.call(Method::GET, &path, None).await;
        if let Some(delivery) = answer.data()[0]["delivery_id"].as_str() {
            return Some(delivery.to_owned());
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    None
}
