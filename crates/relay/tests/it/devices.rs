//! Devices of people.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    person::{Keys, Person, one_time_prekeys},
    socket::Came,
    world::on_both,
};

async fn register(person: Person, keys: Keys) -> crate::world::Response {
    person.call(Method::POST, "/devices", Some(keys.device("phone"))).await
}

async fn ids(person: &Person) -> Vec<Value> {
    let answer = person.call(Method::GET, "/devices", None).await;
    answer.data().as_array().unwrap().iter().map(|device| device["device_id"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_registered_once_and_seen_by_its_person_only() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let keys = Keys::fresh();
        let first = register(ada.clone(), keys.clone()).await;
        assert_eq!(first.status, StatusCode::CREATED);
        let again = register(ada.clone(), keys.clone()).await;
        assert_eq!((again.status, &again.body), (StatusCode::OK, &first.body));
        let list = ada.call(Method::GET, "/devices", None).await;
        assert_eq!(list.body, json!({ "data": [first.data()], "next_cursor": null }));
        let mut expected = keys.device("phone");
        expected.as_object_mut().unwrap().remove("kem_prekey");
        expected["device_id"] = first.data()["device_id"].clone();
        expected["created_at"] = first.data()["created_at"].clone();
        assert_eq!(first.data(), &expected);
        assert!(ids(&bob).await.is_empty());
        // Registering the keys of another person does not give access to their device.
        assert_eq!(register(bob.clone(), keys).await.status, StatusCode::CREATED);
        assert_ne!(ids(&bob).await, ids(&ada).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_has_five_devices_however_many_are_registered_at_once() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let mut tries = JoinSet::new();
        for _ in 0..12 {
            tries.spawn(register(ada.clone(), Keys::fresh()));
        }
        let answers = tries.join_all().await;
        let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
        let refused = answers.iter().filter(|answer| answer.refusal() == (409, "DEVICE_LIMIT"));
        assert_eq!((made, refused.count()), (5, 7));
        let present = ids(&ada).await;
        assert_eq!(present.len(), 5);
        let path = format!("/devices/{}", present[2].as_str().unwrap());
        assert_eq!(ada.call(Method::DELETE, &path, None).await.data(), &json!({}));
        assert_eq!(register(ada.clone(), Keys::fresh()).await.status, StatusCode::CREATED);
        assert_eq!(register(ada, Keys::fresh()).await.refusal(), (409, "DEVICE_LIMIT"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_none_is_refused_with_its_place() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        let no_point = "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        for (field, key) in [
            ("public_key", zero),
            ("public_key", "AAAA"),
            ("public_key", "not base64"),
            ("signing_public_key", zero),
            ("signing_public_key", no_point),
            ("signing_public_key", ""),
        ] {
            let mut body = Keys::fresh().device("phone");
            body[field] = key.into();
            let answer = ada.call(Method::POST, "/devices", Some(body)).await;
            assert_eq!(answer.refusal(), (422, "INVALID_KEY"), "{field} {key}");
            assert_eq!(answer.body["error"]["params"]["pointer"], format!("/{field}"));
        }
        let mut foreign = Keys::fresh().device("phone");
        foreign["kem_prekey"] = Keys::fresh().kem_prekey;
        let answer = ada.call(Method::POST, "/devices", Some(foreign)).await;
        assert_eq!(answer.refusal(), (422, "INVALID_KEY"));
        assert_eq!(answer.body["error"]["params"]["pointer"], "/kem_prekey/signature");
        assert!(ids(&ada).await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_one_removes_or_sees_the_device_of_another_person() {
    on_both(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let device = ada.device().await;
        for id in [device.device_id.as_str(), "dev_01J00000000000000000000000"] {
            let answer = bob.call(Method::DELETE, &format!("/devices/{id}"), None).await;
            assert_eq!(answer.refusal(), (404, "NOT_FOUND"));
        }
        let malformed = bob.call(Method::DELETE, "/devices/dev_x", None).await;
        assert_eq!(malformed.refusal(), (400, "BAD_REQUEST"));
        assert_eq!(ids(&ada).await, [json!(device.device_id)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_device_loses_its_prekeys_its_socket_and_the_login_that_registered_it() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let lost = ada.logged_in_again().await;
        let device = lost.device().await;
        let prekeys = json!({
            "device_id": device.device_id,
            "signed_prekey": device.keys.signed_prekey(1),
            "one_time_prekeys": one_time_prekeys(0..3),
        });
        lost.call(Method::POST, "/keys/prekeys", Some(prekeys.clone())).await.data();
        let mut its_socket = lost.socket(Some(&device.device_id)).await;
        its_socket.expect("auth.ok").await;
        let seen = ada.call(Method::GET, "/devices", None).await;
        assert!(seen.data()[0]["last_seen_at"].is_string());
        let mut own_socket = ada.socket(None).await;
        own_socket.expect("auth.ok").await;

        let path = format!("/devices/{}", device.device_id);
        for _ in 0..2 {
            assert_eq!(ada.call(Method::DELETE, &path, None).await.data(), &json!({}));
        }
        for socket in [&mut its_socket, &mut own_socket] {
            let told = socket.expect("session.invalidated").await;
            assert_eq!(told["data"]["reason"], "device_removed");
            assert_eq!(told["data"]["device_id"], device.device_id);
        }
        assert_eq!(its_socket.next().await, Came::Close(4410));
        assert!(ids(&ada).await.is_empty());
        let me = lost.call(Method::GET, "/auth/me", None).await;
        assert_eq!(me.refusal(), (401, "SESSION_REVOKED"));
        // The login that removed it goes on, but cannot act for the device.
        let claim = json!({ "user_id": ada.user_id, "device_id": device.device_id });
        let claim = ada.call(Method::POST, "/keys/claim", Some(claim)).await;
        assert_eq!(claim.refusal(), (404, "NOT_FOUND"));
        let publish = ada.call(Method::POST, "/keys/prekeys", Some(prekeys)).await;
        assert_eq!(publish.refusal(), (404, "NOT_FOUND"));
        let mut socket = ada.socket(Some(&device.device_id)).await;
        assert_eq!(socket.expect("auth.error").await["reason"], "session_revoked");
        let told = ada.call(Method::GET, "/h2a/events?after=0", None).await;
        assert_eq!(told.data().as_array().unwrap().len(), 1, "once");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_goes_on_if_it_removes_its_own_device_or_serves_another_one() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let (first, second) = (ada.device().await, ada.device().await);
        let elsewhere = ada.logged_in_again().await;
        let path = format!("/devices/{}", first.device_id);
        elsewhere.call(Method::DELETE, &path, None).await.data();
        assert_eq!(ids(&ada).await, [json!(second.device_id)]);
        let path = format!("/devices/{}", second.device_id);
        ada.call(Method::DELETE, &path, None).await.data();
        assert!(ids(&ada).await.is_empty());
    })
    .await;
}
