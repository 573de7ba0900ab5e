//! The people who call, for the whole of a run.

use std::time::Duration;

use assent_relay_api::Caller;
use http::Method;
use serde_json::{Value, json};

use crate::{
    person::{Device, Person, fresh_x25519, kem_prekey, one_time_prekeys},
    world::World,
};

/// Somewhat longer than an access token is good for.
const TOO_LATE: Duration = Duration::from_secs(301);

/// All actors. Each has an account, a device, prekeys and a backup.
pub(super) struct Cast {
    pub(super) stranger: Actor,
    pub(super) owner: Actor,
    pub(super) person: Actor,
    pub(super) founder: Actor,
    pub(super) member: Actor,
}

/// An actor that calls.
#[derive(Clone)]
pub(super) struct Actor {
    pub(super) person: Person,
    pub(super) device: Device,
    /// What only this person may see again.
    pub(super) backup: String,
    /// An access token that has run out.
    pub(super) late: String,
}

impl Cast {
    /// Makes all actors, and lets some minutes pass: the tokens from registration have expired by then.
    pub(super) async fn assemble(world: &World) -> Self {
        let mut actors = Vec::new();
        for name in ["stranger", "owner", "person", "founder", "member"] {
            actors.push(Actor::appear(world, name).await);
        }
        world.advance(TOO_LATE);
        for actor in &mut actors {
            actor.person = actor.person.logged_in_again().await;
        }
        let [stranger, owner, person, founder, member] =
            <[Actor; 5]>::try_from(actors).unwrap_or_else(|_| panic!("five people"));
        Self { stranger, owner, person, founder, member }
    }

    /// The person who is this kind of caller.
    pub(super) const fn actor(&self, caller: Caller) -> Option<&Actor> {
        match caller {
            Caller::Stranger => Some(&self.stranger),
            Caller::Owner => Some(&self.owner),
            Caller::Person => Some(&self.person),
            Caller::Founder => Some(&self.founder),
            Caller::Member => Some(&self.member),
            _ => None,
        }
    }

    pub(super) const fn all(&self) -> [&Actor; 5] {
        [&self.stranger, &self.owner, &self.person, &self.founder, &self.member]
    }
}

impl Actor {
    async fn appear(world: &World, name: &str) -> Self {
        let person = world.person(name).await;
        let device = person.device().await;
        let prekeys = device.prekeys(1);
        assert!(
            person.call(Method::POST, "/keys/prekeys", Some(prekeys)).await.status.is_success()
        );
        let backup = fresh_x25519();
        let body = device.backup(&backup);
        assert!(person.call(Method::PUT, "/keys/backup", Some(body)).await.status.is_success());
        let late = person.token.clone();
        Self { person, device, backup, late }
    }
}

impl Device {
    /// The body that publishes prekeys.
    pub(super) fn prekeys(&self, key_id: u64) -> Value {
        json!({
            "device_id": self.device_id,
            "signed_prekey": self.keys.signed_prekey(key_id),
            "kem_prekey": kem_prekey(&self.keys.signing),
            "one_time_prekeys": one_time_prekeys(key_id..key_id + 20),
        })
    }

    /// The body that stores `sealed` as backup.
    pub(super) fn backup(&self, sealed: &str) -> Value {
        json!({
            "backup_a": sealed,
            "backup_b": sealed,
            "argon2_salt": fresh_x25519(),
            "argon2_params": { "m": 65536, "t": 3, "p": 4 },
            "public_key": self.keys.public_key,
            "signing_public_key": self.keys.signing_public_key,
            "device_id": self.device_id,
        })
    }
}
