//! With a key of the operator, who has the database has none of the secrets in it.

use std::fmt::Write as _;

use assent_relay::Vault;
use assent_test_relay::Address;
use assent_test_servers::Database;
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use http::Method;

use crate::{
    planted_secrets::{contains, dump, files},
    webhooks::{Called, Receiver, verified_by_a_receiver},
    world::{Stopped, World},
};

/// The keys of a file with these lines.
fn vault(lines: &[&str]) -> Vault {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.join("\n")).unwrap();
    Vault::read(file.path()).unwrap()
}

/// Everything that the relay has stored, as in a copy of its files.
fn stored(relay: &Stopped) -> Vec<u8> {
    match relay.database.as_ref().map(Database::url) {
        Some(url) => dump(url),
        None => files(&relay.settings.data).into_iter().flat_map(|(_, bytes)| bytes).collect(),
    }
}

/// A webhook secret as it is found in a database: as a text, or in the digits of its bytes.
fn forms(secret: &str) -> [String; 2] {
    let digits = secret.bytes().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").unwrap();
        digits
    });
    [secret.to_owned(), digits]
}

/// Whether the relay does its work with the secrets that it was given before.
async fn works(world: &World, called: &mut Called, receiver: &Receiver, message: &str) {
    called.relay = Address(world.address());
    called.say(message).await;
    let calls = receiver.wait_for(receiver_count(message)).await;
    let secret = called.agent.webhook_secret.clone().unwrap();
    assert!(verified_by_a_receiver(&secret, calls.last().unwrap()), "{message}");
}

/// The agent hears of the relation and of every message until this one.
fn receiver_count(message: &str) -> usize {
    1 + message.trim_start_matches('m').parse::<usize>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_sealed_opened_and_brought_under_another_key() {
    let (old, new) = ("1f".repeat(32), "2e".repeat(32));
    for postgres in [false, true] {
        let receiver = Receiver::default();
        let origin = receiver.listen().await;
        let world =
            World::start(postgres, |settings| settings.webhook_allow = origin.parse().unwrap())
                .await;
        let mut called = Called::meet(&world, &origin).await;
        works(&world, &mut called, &receiver, "m1").await;
        let secret = called.agent.webhook_secret.clone().unwrap();
        let is_plain = |relay: &Stopped| {
            let found = stored(relay);
            forms(&secret).iter().any(|form| contains(&found, form))
        };

        let mut relay = world.stopped().await;
        assert!(is_plain(&relay), "what is there is found, so secrets would be");
        let steps: [(&[&str], bool); 5] = [
            (&[&old], false),
            (&[&new, &old], false),
            (&[&new], false),
            (&["plain", &new], true),
            (&[&old], false),
        ];
        for (number, (lines, plain)) in (2..).zip(steps) {
            relay.settings.vault = vault(lines);
            let world = relay.start().await;
            works(&world, &mut called, &receiver, &format!("m{number}")).await;
            relay = world.stopped().await;
            assert_eq!(is_plain(&relay), plain, "{lines:?}");
        }

        let none = "the relay was started without a key: name the file that holds it";
        let another = "which is not in the file that `secrets_key` names";
        for (wrong, why) in [(Vault::default(), none), (vault(&[&new]), another)] {
            relay.settings.vault = wrong;
            let error = relay.start_error().await.to_string();
            assert!(error.contains(why), "{error}");
        }
        relay.settings.vault = vault(&[&old]);
        let world = relay.start().await;
        works(&world, &mut called, &receiver, "m7").await;
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn new_secrets_are_sealed_from_the_first_moment() {
    for postgres in [false, true] {
        let receiver = Receiver::default();
        let origin = receiver.listen().await;
        let world = World::start(postgres, |settings| {
            settings.webhook_allow = origin.parse().unwrap();
            settings.vault = vault(&[&"3d".repeat(32)]);
        })
        .await;
        let called = Called::meet(&world, &origin).await;
        let path = format!("/agents/{}/webhook-secret/rotate", called.agent.agent_id);
        let token = Some(called.person.token.as_str());
        let rotated = called.relay.call(Method::POST, &path, token, None).await.unwrap();
        let rotated = rotated.data()["webhook_secret"].as_str().unwrap().to_owned();
        let first = called.agent.webhook_secret.clone().unwrap();
        let found = stored(&world.stopped().await);
        for secret in [first, rotated] {
            let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
            assert!(!found.windows(key.len()).any(|window| window == key), "the bytes alone");
            for form in forms(&secret) {
                assert!(!contains(&found, &form));
            }
        }
    }
}
