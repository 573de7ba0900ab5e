//! Prekeys: names are given once, keys handed out once.

use std::{collections::BTreeSet, time::Duration};

use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    person::{Device, Keys, Person, fresh_x25519, kem_prekey, one_time_prekeys},
    world::{Response, on_both, on_both_with},
};

async fn publish(
    person: &Person,
    device: &Device,
    signed: Option<Value>,
    one_time: Vec<Value>,
) -> Response {
    let mut body = json!({ "device_id": device.device_id, "one_time_prekeys": one_time });
    if let Some(signed) = signed {
        body["signed_prekey"] = signed;
    }
    person.call(Method::POST, "/keys/prekeys", Some(body)).await
}

async fn claim(person: Person, whose: Value) -> Response {
    person.call(Method::POST, "/keys/claim", Some(whose)).await
}

fn of(person: &Person) -> Value {
    json!({ "user_id": person.user_id })
}

#[track_caller]
fn assert_refused(answer: &Response, status: u16, code: &str, pointer: &str) {
    assert_eq!(answer.refusal(), (status, code));
    assert_eq!(answer.body["error"]["params"]["pointer"], pointer);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_keys_and_two_hundred_claims_at_once_give_a_hundred_different_keys() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let device = ada.device().await;
        let (signed, one_time) = (device.keys.signed_prekey(1), one_time_prekeys(0..100));
        let left = publish(&ada, &device, Some(signed.clone()), one_time.clone()).await;
        assert_eq!(left.data(), &json!({ "one_time_prekeys": 100 }));
        let mut claims = JoinSet::new();
        for _ in 0..200 {
            claims.spawn(claim(bob.clone(), of(&ada)));
        }
        let mut without = 0;
        let mut handed_out = BTreeSet::new();
        for answer in claims.join_all().await {
            let bundle = answer.data();
            assert_eq!(bundle["device_id"], device.device_id);
            assert_eq!(bundle["identity_key"], device.keys.public_key);
            assert_eq!(bundle["signing_public_key"], device.keys.signing_public_key);
            assert_eq!(bundle["signed_prekey"], signed);
            assert_eq!(bundle["kem_prekey"], device.keys.kem_prekey);
            match bundle.get("one_time_prekey") {
                Some(key) => assert!(handed_out.insert(key.to_string()), "{key} twice"),
                None => without += 1,
            }
        }
        assert_eq!(without, 100);
        let published: BTreeSet<_> = one_time.iter().map(Value::to_string).collect();
        assert_eq!(handed_out, published);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_prekeys_again_are_not_stored_again_even_after_they_were_handed_out() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let device = ada.device().await;
        let (signed, one_time) = (device.keys.signed_prekey(1), one_time_prekeys(0..2));
        for _ in 0..2 {
            let left = publish(&ada, &device, Some(signed.clone()), one_time.clone()).await;
            assert_eq!(left.data()["one_time_prekeys"], 2);
        }
        claim(ada.clone(), of(&ada)).await.data();
        let left = publish(&ada, &device, Some(signed), one_time).await;
        assert_eq!(left.data()["one_time_prekeys"], 1, "the other one is never given again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_never_given_to_another_key_nor_a_key_another_name() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let device = ada.device().await;
        let first = device.keys.signed_prekey(1);
        let keys = one_time_prekeys(0..3);
        publish(&ada, &device, Some(first.clone()), keys.clone()).await.data();
        let handed_out = claim(ada.clone(), of(&ada)).await.data()["one_time_prekey"].clone();

        let mut reused = one_time_prekeys(7..9);
        reused[1]["key_id"] = handed_out["key_id"].clone();
        let answer = publish(&ada, &device, None, reused).await;
        assert_refused(&answer, 409, "CONFLICT", "/one_time_prekeys/1");
        let mut renamed = handed_out.clone();
        renamed["key_id"] = 99.into();
        let answer = publish(&ada, &device, None, vec![renamed]).await;
        assert_refused(&answer, 409, "CONFLICT", "/one_time_prekeys/0");
        let count = publish(&ada, &device, None, vec![]).await;
        assert_eq!(count.data()["one_time_prekeys"], 2, "nothing of the refused was kept");

        let again = publish(&ada, &device, Some(device.keys.signed_prekey(1)), vec![]).await;
        assert_refused(&again, 409, "CONFLICT", "/signed_prekey");
        let second = device.keys.signed_prekey(2);
        publish(&ada, &device, Some(second.clone()), vec![]).await.data();
        assert_eq!(claim(ada.clone(), of(&ada)).await.data()["signed_prekey"], second);
        let old = publish(&ada, &device, Some(first), vec![]).await;
        assert_refused(&old, 409, "CONFLICT", "/signed_prekey");
        // A number is another name than its text.
        let text = vec![json!({ "key_id": "0", "public_key": fresh_x25519() })];
        assert_eq!(publish(&ada, &device, None, text).await.status, StatusCode::OK);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_are_kept_and_not_one_more() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let device = ada.device().await;
        let signed = Some(device.keys.signed_prekey(1));
        let answer = publish(&ada, &device, signed, one_time_prekeys(0..99)).await;
        assert_eq!(answer.data()["one_time_prekeys"], 99);
        let answer = publish(&ada, &device, None, one_time_prekeys(100..102)).await;
        assert_refused(&answer, 409, "CONFLICT", "/one_time_prekeys");
        let answer = publish(&ada, &device, None, one_time_prekeys(100..101)).await;
        assert_eq!(answer.data()["one_time_prekeys"], 100);
        let answer = publish(&ada, &device, None, one_time_prekeys(200..301)).await;
        assert_refused(&answer, 422, "VALIDATION_FAILED", "/one_time_prekeys");
        claim(ada.clone(), of(&ada)).await.data();
        let answer = publish(&ada, &device, None, one_time_prekeys(300..301)).await;
        assert_eq!(answer.data()["one_time_prekeys"], 100);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_prekey_is_signed_by_its_own_device() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let device = ada.device().await;
        let foreign = Keys::fresh().signed_prekey(1);
        let answer = publish(&ada, &device, Some(foreign), vec![]).await;
        assert_refused(&answer, 422, "INVALID_KEY", "/signed_prekey/signature");
        let mut swapped = device.keys.signed_prekey(1);
        swapped["public_key"] = fresh_x25519().into();
        let answer = publish(&ada, &device, Some(swapped), vec![]).await;
        assert_refused(&answer, 422, "INVALID_KEY", "/signed_prekey/signature");
        let mut weak = one_time_prekeys(0..2);
        weak[1]["public_key"] = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".into();
        let answer = publish(&ada, &device, None, weak).await;
        assert_refused(&answer, 422, "INVALID_KEY", "/one_time_prekeys/1/public_key");
        let mut twice = one_time_prekeys(0..2);
        twice[1]["key_id"] = 0.into();
        let answer = publish(&ada, &device, None, twice).await;
        assert_refused(&answer, 422, "VALIDATION_FAILED", "/one_time_prekeys/1");
        let nothing = claim(ada.clone(), of(&ada)).await;
        assert_eq!(nothing.refusal(), (404, "NOT_FOUND"), "nothing of it was kept");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kem_prekey_is_replaced_by_the_next_and_never_comes_back() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let device = ada.device().await;
        publish(&ada, &device, Some(device.keys.signed_prekey(1)), vec![]).await.data();
        let publish_kem = async |prekey: &Value| {
            let body = json!({ "device_id": device.device_id, "kem_prekey": prekey });
            ada.call(Method::POST, "/keys/prekeys", Some(body)).await
        };
        let (first, second) = (&device.keys.kem_prekey, kem_prekey(&device.keys.signing));
        for prekey in [first, &second, &second] {
            publish_kem(prekey).await.data();
            assert_eq!(&claim(ada.clone(), of(&ada)).await.data()["kem_prekey"], prekey);
        }
        assert_refused(&publish_kem(first).await, 409, "CONFLICT", "/kem_prekey");
        let foreign = kem_prekey(&Keys::fresh().signing);
        let refused = publish_kem(&foreign).await;
        assert_refused(&refused, 422, "INVALID_KEY", "/kem_prekey/signature");
        let mut renamed = kem_prekey(&device.keys.signing);
        renamed["key_id"] = second["key_id"].clone();
        let refused = publish_kem(&renamed).await;
        assert_refused(&refused, 422, "INVALID_KEY", "/kem_prekey/key_id");
        // Registering again leaves the prekeys as they are.
        let again = ada.call(Method::POST, "/devices", Some(device.keys.device("phone"))).await;
        assert_eq!(again.status, StatusCode::OK);
        assert_eq!(claim(ada.clone(), of(&ada)).await.data()["kem_prekey"], second);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prekeys_are_published_for_own_devices_and_claimed_of_any() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let (old, new) = (ada.device().await, ada.device().await);
        let foreign = publish(&bob, &old, Some(old.keys.signed_prekey(1)), vec![]).await;
        assert_eq!(foreign.refusal(), (404, "NOT_FOUND"));
        let nameless = bob.call(Method::POST, "/keys/prekeys", Some(json!({}))).await;
        assert_refused(&nameless, 422, "VALIDATION_FAILED", "/device_id");

        assert_eq!(claim(bob.clone(), of(&ada)).await.refusal(), (404, "NOT_FOUND"));
        publish(&ada, &old, Some(old.keys.signed_prekey(1)), vec![]).await.data();
        // The newest that can be written to.
        let bundle = claim(bob.clone(), of(&ada)).await;
        assert_eq!(bundle.data()["device_id"], old.device_id);
        publish(&ada, &new, Some(new.keys.signed_prekey(1)), vec![]).await.data();
        let bundle = claim(bob.clone(), of(&ada)).await;
        assert_eq!(bundle.data()["device_id"], new.device_id);
        let named = json!({ "user_id": ada.user_id, "device_id": old.device_id });
        let bundle = claim(bob.clone(), named).await;
        assert_eq!(bundle.data()["device_id"], old.device_id);
        for whose in [
            json!({ "user_id": bob.user_id, "device_id": old.device_id }),
            json!({ "user_id": "usr_01J00000000000000000000000" }),
            json!({ "agent_id": "agt_01J00000000000000000000000" }),
        ] {
            assert_eq!(claim(bob.clone(), whose).await.refusal(), (404, "NOT_FOUND"));
        }
        let both = json!({ "user_id": ada.user_id, "agent_id": "agt_01J00000000000000000000000" });
        for whose in [json!({}), both] {
            assert_eq!(claim(bob.clone(), whose).await.refusal(), (422, "VALIDATION_FAILED"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_and_publications_are_limited_per_caller() {
    on_both_with(
        |settings| {
            settings.limits.prekey_claims_per_minute = 3;
            settings.limits.key_requests_per_minute = 2;
        },
        async |world| {
            let (ada, bob) = (world.person("ada").await, world.person("bob").await);
            let device = ada.device().await;
            for number in 0..2 {
                let signed = Some(device.keys.signed_prekey(number));
                publish(&ada, &device, signed, vec![]).await.data();
            }
            let answer = publish(&ada, &device, None, vec![]).await;
            assert_eq!(answer.refusal(), (429, "RATE_LIMITED"));
            for _ in 0..3 {
                claim(bob.clone(), of(&ada)).await.data();
            }
            let answer = claim(bob.clone(), of(&ada)).await;
            assert_eq!(answer.refusal(), (429, "RATE_LIMITED"));
            claim(ada.clone(), of(&ada)).await.data();
            world.advance(Duration::from_secs(60));
            claim(bob.clone(), of(&ada)).await.data();
        },
    )
    .await;
}
