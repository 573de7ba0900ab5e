//! People in a world, and their devices.

use std::ops::Range;

use assent_ids::{Entropy as _, SystemEntropy};
use assent_relay_api::value::{KemPublicKey, PrekeyId};
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use ed25519_dalek::{Signer as _, SigningKey};
use http::Method;
use serde_json::{Value, json};

use crate::world::{Client, Response, World};

/// The password of all people.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// A person with an account, logged in.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) client: Client,
    pub(crate) email: String,
    pub(crate) user_id: String,
    /// An access token.
    pub(crate) token: String,
    pub(crate) refresh_token: String,
}

/// A device of a person, with its private keys.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) device_id: String,
    pub(crate) keys: Keys,
}

/// What a device or an agent signs and seals with.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(crate) signing: SigningKey,
    pub(crate) public_key: String,
    pub(crate) signing_public_key: String,
    /// The KEM prekey that a device or agent with these keys is registered with.
    pub(crate) kem_prekey: Value,
}

impl World {
    /// Registers a person.
    pub(crate) async fn person(&self, name: &str) -> Person {
        let email = format!("{name}@example.org");
        let account = json!({
            "email": email,
            "account_password": PASSWORD,
            "display_name": name,
            "cookie": false,
        });
        let client = self.client();
        let answer = client.call(Method::POST, "/auth/register", None, Some(account)).await;
        Person::of(client, &email, answer.data())
    }
}

impl Person {
    fn of(client: Client, email: &str, session: &Value) -> Self {
        let text = |name: &str| session[name].as_str().unwrap().to_owned();
        Self {
            client,
            email: email.to_owned(),
            user_id: text("user_id"),
            token: text("access_token"),
            refresh_token: text("refresh_token"),
        }
    }

    /// The same person in another session.
    pub(crate) async fn logged_in_again(&self) -> Self {
        let credentials =
            json!({ "email": self.email, "account_password": PASSWORD, "cookie": false });
        let answer = self.client.call(Method::POST, "/auth/login", None, Some(credentials)).await;
        Self::of(self.client, &self.email, answer.data())
    }

    /// Calls in this person's name.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        self.client.call(method, path, Some(&self.token), body).await
    }

    /// Registers a device.
    pub(crate) async fn device(&self) -> Device {
        let keys = Keys::fresh();
        let answer = self.call(Method::POST, "/devices", Some(keys.device("phone"))).await;
        let device_id = answer.data()["device_id"].as_str().unwrap().to_owned();
        Device { device_id, keys }
    }
}

impl Keys {
    /// Unique keys.
    pub(crate) fn fresh() -> Self {
        let signing = SigningKey::from_bytes(&random());
        let signing_public_key = BASE64.encode(signing.verifying_key().to_bytes());
        let kem_prekey = kem_prekey(&signing);
        Self { signing, public_key: fresh_x25519(), signing_public_key, kem_prekey }
    }

    /// The body that registers a device with these keys.
    pub(crate) fn device(&self, name: &str) -> Value {
        json!({
            "public_key": self.public_key,
            "signing_public_key": self.signing_public_key,
            "kem_prekey": self.kem_prekey,
            "name": name,
        })
    }

    /// A signed prekey.
    pub(crate) fn signed_prekey(&self, key_id: u64) -> Value {
        let public_key = fresh_x25519();
        let signature = self.signing.sign(&BASE64.decode(&public_key).unwrap());
        json!({
            "key_id": key_id,
            "public_key": public_key,
            "signature": BASE64.encode(signature.to_bytes()),
        })
    }
}

/// A new KEM prekey that `owner` has signed: 1,216 random bytes, with which nothing can be sealed.
pub(crate) fn kem_prekey(owner: &SigningKey) -> Value {
    let key: [u8; 1216] = random();
    let public_key = KemPublicKey::from(key);
    let signature = owner.sign(&[&b"assent/v1/kem"[..], &key].concat());
    json!({
        "key_id": PrekeyId::from(&public_key),
        "public_key": public_key,
        "signature": BASE64.encode(signature.to_bytes()),
    })
}

/// One-time prekeys with these numbers.
pub(crate) fn one_time_prekeys(key_ids: Range<u64>) -> Vec<Value> {
    key_ids.map(|key_id| json!({ "key_id": key_id, "public_key": fresh_x25519() })).collect()
}

/// A public X25519 key.
pub(crate) fn fresh_x25519() -> String {
    let secret = SigningKey::from_bytes(&random());
    BASE64.encode(secret.verifying_key().to_montgomery().to_bytes())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy::new().unwrap().fill(&mut bytes);
    bytes
}
