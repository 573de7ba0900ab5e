//! Agents in a world, and people who have agreed to them.

use std::time::Duration;

use assent_ids::{Clock as _, SystemClock};
use assent_relay_api::ledger::{LedgerEntry, SignedEntry};
use http::Method;
use serde_json::{Value, json};

use crate::{
    person::{Device, Person},
    world::{Client, Response, World},
};

/// An agent, with its first token.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub(crate) client: Client,
    pub(crate) owner: Person,
    pub(crate) agent_id: String,
    pub(crate) token: String,
}

/// A person who has agreed to an agent.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) person: Person,
    pub(crate) device: Device,
    pub(crate) agent_id: String,
    pub(crate) relation_id: String,
    pub(crate) conversation_id: String,
}

/// A manifest with these tools, each under a scope.
pub(crate) fn manifest(tools: &[(&str, &str)]) -> Value {
    let mut scopes: Vec<&str> = tools.iter().map(|(_, scope)| *scope).collect();
    scopes.sort_unstable();
    scopes.dedup();
    let tools: Vec<Value> = tools.iter().map(|(name, scope)| tool(name, scope)).collect();
    let scopes: Vec<Value> = scopes.into_iter().map(scope).collect();
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": tools,
        "permission_scopes": scopes,
    })
}

fn tool(name: &str, scope: &str) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("tool.{name}"),
        "input_schema": {
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "additionalProperties": false,
        },
        "permission_scope": scope,
    })
}

fn scope(id: &str) -> Value {
    json!({
        "id": id,
        "label_i18n_key": "scope.label",
        "label_fallback": format!("May {id}"),
        "description_fallback": format!("Lets the agent {id}."),
        "sensitivity": "low",
    })
}

impl World {
    /// Makes an agent of `owner` with this manifest.
    pub(crate) async fn agent(&self, owner: &Person, manifest: Value) -> Agent {
        let agent = json!({ "name": "helper", "capability_manifest": manifest });
        let answer = owner.call(Method::POST, "/agents", Some(agent)).await;
        Agent::of(owner, answer.data())
    }

    /// Lets `person` agree to everything that `agent` declares.
    pub(crate) async fn relation(&self, person: &Person, agent: &Agent) -> Relation {
        let device = person.device().await;
        let scopes = agent.scopes().await;
        let entry = agent.grant(person, &device, &scopes).await;
        let answer = agent.consent(person, &device, entry).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        Relation::of(person, device, agent, answer.data())
    }
}

impl Agent {
    pub(crate) fn of(owner: &Person, made: &Value) -> Self {
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Self {
            client: owner.client,
            owner: owner.clone(),
            agent_id: text("agent_id"),
            token: text("token"),
        }
    }

    /// Calls in the name of the agent.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        self.client.call(method, path, Some(&self.token), body).await
    }

    /// The path of the agent, and what follows.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/agents/{}{rest}", self.agent_id)
    }

    /// The relation as its person sees it.
    pub(crate) async fn get(&self) -> Value {
        self.call(Method::GET, &self.path(""), None).await.data().clone()
    }

    /// Publishes a manifest in the name of the owner.
    pub(crate) async fn publish(&self, manifest: Value) -> Response {
        let body = json!({ "capability_manifest": manifest });
        self.owner.call(Method::PATCH, &self.path(""), Some(body)).await
    }

    /// Every scope that it declares.
    pub(crate) async fn scopes(&self) -> Vec<String> {
        let agent = self.get().await;
        let scopes = agent["capability_manifest"]["permission_scopes"].as_array().unwrap().iter();
        scopes.map(|scope| scope["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The first entry of a chain: `person` grants `scopes` for the present manifest.
    pub(crate) async fn grant(
        &self,
        person: &Person,
        device: &Device,
        scopes: &[String],
    ) -> LedgerEntry {
        let agent = self.get().await;
        entry(&json!({
            "v": 1,
            "relation_key": format!("{}/{}", person.user_id, self.agent_id),
            "agent_id": self.agent_id,
            "user_id": person.user_id,
            "device_id": device.device_id,
            "action": "grant",
            "granted_scopes": scopes,
            "manifest_hash": agent["capability_manifest_hash"],
            "manifest_version": agent["capability_manifest_version"],
            "prev": null,
            "issued_at": assent_protocol::wire::Timestamp::from(SystemClock.now()),
        }))
    }

    /// Asks for a relation with what `entry` says.
    pub(crate) async fn consent(
        &self,
        person: &Person,
        device: &Device,
        entry: LedgerEntry,
    ) -> Response {
        let mut body = saying(&entry, device);
        body["agent_id"] = json!(self.agent_id);
        person.call(Method::POST, "/h2a/relations", Some(body)).await
    }
}

impl Relation {
    pub(crate) fn of(person: &Person, device: Device, agent: &Agent, granted: &Value) -> Self {
        let text = |name: &str| granted[name].as_str().unwrap().to_owned();
        Self {
            person: person.clone(),
            device,
            agent_id: agent.agent_id.clone(),
            relation_id: text("relation_id"),
            conversation_id: text("conversation_id"),
        }
    }

    /// The path of the relation, and what follows.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/h2a/relations/{}{rest}", self.relation_id)
    }

    pub(crate) async fn get(&self) -> Value {
        self.person.call(Method::GET, &self.path(""), None).await.data().clone()
    }

    /// The next entry of the chain, for the present manifest.
    pub(crate) async fn next(&self, action: &str, scopes: &[&str]) -> LedgerEntry {
        let path = format!("/agents/{}", self.agent_id);
        let agent = self.person.call(Method::GET, &path, None).await.data().clone();
        let relation = self.get().await;
        entry(&json!({
            "v": 1,
            "relation_key": format!("{}/{}", self.person.user_id, self.agent_id),
            "agent_id": self.agent_id,
            "user_id": self.person.user_id,
            "device_id": self.device.device_id,
            "action": action,
            "granted_scopes": scopes,
            "manifest_hash": agent["capability_manifest_hash"],
            "manifest_version": agent["capability_manifest_version"],
            "prev": relation["ledger_head"],
            "issued_at": assent_protocol::wire::Timestamp::from(SystemClock.now()),
        }))
    }

    /// Sends an entry that changes what is granted.
    pub(crate) async fn send(&self, entry: &LedgerEntry) -> Response {
        let body = saying(entry, &self.device);
        self.person.call(Method::PATCH, &self.path(""), Some(body)).await
    }

    /// Grants exactly `scopes` for the present manifest.
    pub(crate) async fn agree(&self, scopes: &[&str]) -> Response {
        self.send(&self.next("update", scopes).await).await
    }

    /// Ends the relation.
    pub(crate) async fn revoke(&self) -> Response {
        let entry = self.next("revoke", &[]).await;
        let body = json!({ "ledger_entry": signed(&entry, &self.device) });
        self.person.call(Method::POST, &self.path("/revoke"), Some(body)).await
    }

    /// The whole chain.
    pub(crate) async fn ledger(&self) -> Vec<Value> {
        let answer = self.person.call(Method::GET, &self.path("/ledger"), None).await;
        answer.data().as_array().unwrap().clone()
    }
}

/// An entry from its fields.
pub(crate) fn entry(fields: &Value) -> LedgerEntry {
    serde_json::from_value(fields.clone()).unwrap()
}

/// An entry with the signature of a device.
pub(crate) fn signed(entry: &LedgerEntry, device: &Device) -> Value {
    let signed = SignedEntry::sign(entry.clone(), &device.keys.signing).unwrap();
    serde_json::to_value(signed).unwrap()
}

/// A request that says the same as the entry.
pub(crate) fn saying(entry: &LedgerEntry, device: &Device) -> Value {
    json!({
        "granted_scopes": entry.granted_scopes,
        "manifest_hash": entry.manifest_hash,
        "ledger_entry": signed(entry, device),
    })
}

/// All events of a party, the oldest first.
pub(crate) async fn events(client: &Client, token: &str) -> Vec<Value> {
    let path = "/h2a/events?after=0&limit=200";
    let answer = client.call(Method::GET, path, Some(token), None).await;
    answer.data().as_array().unwrap().clone()
}

/// The data of the events of one kind, as soon as there are `count`.
pub(crate) async fn told(client: &Client, token: &str, kind: &str, count: usize) -> Vec<Value> {
    for _ in 0..200 {
        let all = events(client, token).await;
        let found: Vec<Value> = all.into_iter().filter(|event| event["type"] == kind).collect();
        if found.len() >= count {
            assert_eq!(found.len(), count, "{kind} was told too often");
            return found.into_iter().map(|event| event["data"].clone()).collect();
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{kind} was not told {count} times");
}

impl Person {
    /// The data of the events of one kind for this person, as soon as there are `count`.
    pub(crate) async fn told(&self, kind: &str, count: usize) -> Vec<Value> {
        told(&self.client, &self.token, kind, count).await
    }
}
