//! People and agents.

use assent_ids::{Entropy as _, SystemEntropy};
use assent_relay_api::{
    ledger::{LedgerEntry, SignedEntry},
    model::KemPrekey,
    value::KemPublicKey,
};
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use ed25519_dalek::{Signer as _, SigningKey};
use http::Method;
use serde_json::{Value, json};

use crate::{Address, Answer, Lost};

const PASSWORD: &str = "correct horse battery";

/// A person with an account and a device.
#[derive(Clone, Debug)]
pub struct Person {
    email: String,
    /// The id of the person.
    pub user_id: String,
    /// An access token.
    pub token: String,
    device_id: String,
    signing: SigningKey,
}

/// An agent and its token.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The id of the agent.
    pub agent_id: String,
    /// Its token.
    pub token: String,
    /// What deliveries to it are signed with, if it is called.
    pub webhook_secret: Option<String>,
    /// The manifest that it has.
    pub manifest_hash: String,
}

/// A person who uses an agent.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The id of the relation.
    pub relation_id: String,
    /// Where the two talk.
    pub conversation_id: String,
}

/// A small manifest with one tool and one scope.
#[must_use]
pub fn manifest() -> Value {
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [{
            "name": "read_file",
            "description_i18n_key": "agent.cap.read_file.description",
            "input_schema": {
                "type": "object",
                "properties": { "path": { "type": "string" } },
                "required": ["path"],
                "additionalProperties": false
            },
            "permission_scope": "filesystem:read"
        }],
        "permission_scopes": [{
            "id": "filesystem:read",
            "label_i18n_key": "agent.scope.filesystem_read.label",
            "sensitivity": "medium"
        }],
        "capability_flags": {}
    })
}

/// A KEM prekey of the owner of `signing`. Nothing can be sealed to it: the key is 1,216 random bytes.
fn kem_prekey(signing: &SigningKey) -> KemPrekey {
    let key: [u8; 1216] = random();
    let public_key = KemPublicKey::from(key);
    let signature = signing.sign(&[&b"assent/v1/kem"[..], &key].concat());
    KemPrekey { key_id: (&public_key).into(), public_key, signature: signature.to_bytes().into() }
}

impl Person {
    /// Registers a person with a device.
    pub async fn register(relay: Address, name: &str) -> Self {
        let email = format!("{name}@example.org");
        let body = json!({
            "email": email, "account_password": PASSWORD, "display_name": name, "cookie": false
        });
        let answer = relay.call(Method::POST, "/auth/register", None, Some(&body)).await.unwrap();
        let token = text(answer.data(), "access_token");
        let signing = SigningKey::from_bytes(&random());
        let device = json!({
            "name": "phone",
            "public_key": BASE64.encode(
                SigningKey::from_bytes(&random()).verifying_key().to_montgomery().to_bytes()
            ),
            "signing_public_key": BASE64.encode(signing.verifying_key().to_bytes()),
            "kem_prekey": kem_prekey(&signing),
        });
        let made = relay.call(Method::POST, "/devices", Some(&token), Some(&device)).await.unwrap();
        Self {
            email,
            user_id: text(answer.data(), "user_id"),
            token,
            device_id: text(made.data(), "device_id"),
            signing,
        }
    }

    /// Gets another access token.
    ///
    /// # Errors
    /// If there was no complete answer.
    pub async fn log_in(&mut self, relay: Address) -> Result<(), Lost> {
        let body = json!({ "email": self.email, "account_password": PASSWORD, "cookie": false });
        let answer = relay.call(Method::POST, "/auth/login", None, Some(&body)).await?;
        if answer.status.is_success() {
            self.token = text(answer.data(), "access_token");
        }
        Ok(())
    }

    /// Makes an agent; `more` is merged into the request.
    pub async fn create_agent(&self, relay: Address, name: &str, more: Value) -> Agent {
        let mut body = json!({ "name": name, "capability_manifest": manifest() });
        for (name, value) in more.as_object().cloned().unwrap_or_default() {
            body[name] = value;
        }
        let token = Some(self.token.as_str());
        let answer = relay.call(Method::POST, "/agents", token, Some(&body)).await.unwrap();
        let data = answer.data();
        Agent {
            agent_id: text(data, "agent_id"),
            token: text(data, "token"),
            webhook_secret: data["webhook_secret"].as_str().map(ToOwned::to_owned),
            manifest_hash: text(data, "capability_manifest_hash"),
        }
    }

    /// Lets an agent read files.
    pub async fn relate(&self, relay: Address, agent: &Agent) -> Relation {
        let entry: LedgerEntry = serde_json::from_value(json!({
            "v": 1,
            "relation_key": format!("{}/{}", self.user_id, agent.agent_id),
            "agent_id": agent.agent_id,
            "user_id": self.user_id,
            "device_id": self.device_id,
            "action": "grant",
            "granted_scopes": ["filesystem:read"],
            "manifest_hash": agent.manifest_hash,
            "manifest_version": 1,
            "prev": null,
            "issued_at": "2026-11-16T00:00:00.000Z",
        }))
        .unwrap();
        let body = json!({
            "agent_id": agent.agent_id,
            "granted_scopes": ["filesystem:read"],
            "manifest_hash": agent.manifest_hash,
            "ledger_entry": SignedEntry::sign(entry, &self.signing).unwrap(),
        });
        let token = Some(self.token.as_str());
        let answer = relay.call(Method::POST, "/h2a/relations", token, Some(&body)).await.unwrap();
        Relation {
            relation_id: text(answer.data(), "relation_id"),
            conversation_id: text(answer.data(), "conversation_id"),
        }
    }
}

impl Relation {
    /// Sends a message.
    ///
    /// # Errors
    /// If there was no complete answer.
    pub async fn send(
        &self,
        relay: Address,
        token: &str,
        client_message_id: &str,
        envelope: &str,
    ) -> Result<Answer, Lost> {
        let path = format!("/conversations/{}/messages", self.conversation_id);
        let body = message(client_message_id, envelope);
        relay.call(Method::POST, &path, Some(token), Some(&body)).await
    }

    /// The frame that sends a message on a socket.
    #[must_use]
    pub fn message(&self, client_message_id: &str, envelope: &str) -> Value {
        let mut frame = message(client_message_id, envelope);
        frame["type"] = "message.send".into();
        frame["conversation_id"] = self.conversation_id.as_str().into();
        frame
    }
}

fn message(client_message_id: &str, envelope: &str) -> Value {
    json!({
        "client_message_id": client_message_id,
        "msg_subtype": "text",
        "content_type": "text",
        "envelope": BASE64.encode(envelope),
    })
}

#[track_caller]
fn text(data: &Value, name: &str) -> String {
    data[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {data}")).to_owned()
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy::new().unwrap().fill(&mut bytes);
    bytes
}
