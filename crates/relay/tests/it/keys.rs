//! Public keys of others, and the sealed backup of the own ones.

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use http::Method;
use serde_json::{Value, json};

use crate::{
    person::{Keys, Person},
    world::{Response, on_both},
};

async fn devices_of(reader: &Person, user_id: &str) -> Response {
    reader.call(Method::GET, &format!("/keys/users/{user_id}/devices"), None).await
}

#[tokio::test(flavor = "multi_thread")]
async fn others_see_the_keys_of_devices_and_not_their_names() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let (first, second) = (ada.device().await, ada.device().await);
        let mut answer = devices_of(&bob, &ada.user_id).await.body;
        for device in answer["data"].as_array_mut().unwrap() {
            assert!(device.as_object_mut().unwrap().remove("created_at").unwrap().is_string());
        }
        let seen = [&first, &second].map(|device| {
            json!({
                "device_id": device.device_id,
                "public_key": device.keys.public_key,
                "signing_public_key": device.keys.signing_public_key,
                "kem_prekey": device.keys.kem_prekey,
            })
        });
        assert_eq!(answer, json!({ "data": seen, "next_cursor": null }));
        let path = format!("/devices/{}", first.device_id);
        ada.call(Method::DELETE, &path, None).await.data();
        let answer = devices_of(&bob, &ada.user_id).await;
        assert_eq!(answer.data().as_array().unwrap().len(), 1);
        assert_eq!(devices_of(&ada, &bob.user_id).await.data(), &json!([]));
        let nobody = devices_of(&ada, "usr_01J00000000000000000000000").await;
        assert_eq!(nobody.refusal(), (404, "NOT_FOUND"));
        let agent = ada.call(Method::GET, "/keys/agents/agt_01J00000000000000000000000", None);
        assert_eq!(agent.await.refusal(), (404, "NOT_FOUND"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_lookups_a_minute_are_served_and_not_one_more() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        for _ in 0..60 {
            devices_of(&bob, &ada.user_id).await.data();
        }
        let refused = devices_of(&bob, &ada.user_id).await;
        assert_eq!(refused.refusal(), (429, "RATE_LIMITED"));
        devices_of(&ada, &ada.user_id).await.data();
        world.advance(Duration::from_secs(60));
        devices_of(&bob, &ada.user_id).await.data();
    })
    .await;
}

fn backup(keys: &Keys, sealed: &[u8]) -> Value {
    json!({
        "backup_a": BASE64.encode(sealed),
        "backup_b": BASE64.encode([7; 60]),
        "argon2_salt": BASE64.encode([1; 16]),
        "argon2_params": { "m": 65536, "t": 3, "p": 4 },
        "public_key": keys.public_key,
        "signing_public_key": keys.signing_public_key,
        "device_id": "ada's phone",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_comes_back_as_it_was_given_and_to_its_person_only() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let keys = Keys::fresh();
        let none = ada.call(Method::GET, "/keys/backup", None).await;
        assert_eq!(none.refusal(), (404, "NOT_FOUND"));
        for sealed in [[1; 60], [2; 60]] {
            let mut expected = backup(&keys, &sealed);
            let put = ada.call(Method::PUT, "/keys/backup", Some(expected.clone())).await;
            expected["updated_at"] = put.data()["updated_at"].clone();
            assert!(expected["updated_at"].is_string());
            assert_eq!(put.data(), &expected);
            assert_eq!(ada.call(Method::GET, "/keys/backup", None).await.data(), &expected);
        }
        let none = bob.call(Method::GET, "/keys/backup", None).await;
        assert_eq!(none.refusal(), (404, "NOT_FOUND"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_has_at_most_four_kibibytes_and_keys_that_are_keys() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let keys = Keys::fresh();
        let put = async |body| ada.call(Method::PUT, "/keys/backup", Some(body)).await;
        put(backup(&keys, &[0; 4096])).await.data();
        let refused = put(backup(&keys, &[0; 4097])).await;
        assert_eq!(refused.refusal(), (422, "VALIDATION_FAILED"));
        assert_eq!(refused.body["error"]["params"]["pointer"], "/backup_a");
        let mut weak = backup(&keys, &[0; 60]);
        weak["public_key"] = BASE64.encode([0; 32]).into();
        assert_eq!(put(weak).await.refusal(), (422, "INVALID_KEY"));
        let mut heavy = backup(&keys, &[0; 60]);
        heavy["argon2_params"]["m"] = 4_194_305.into();
        let refused = put(heavy).await;
        assert_eq!(refused.body["error"]["params"]["pointer"], "/argon2_params/m");
    })
    .await;
}
