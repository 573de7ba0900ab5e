//! Registering, logging in, locks and limits.

use std::time::Duration;

use http::{Method, StatusCode, header::RETRY_AFTER};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    person::PASSWORD,
    world::{Client, Response, World, on_both, on_both_with},
};

const LOCK: Duration = Duration::from_secs(15 * 60);

fn account(email: &str) -> Value {
    json!({ "email": email, "account_password": PASSWORD, "display_name": "Ada" })
}

async fn register(client: Client, body: Value) -> Response {
    client.call(Method::POST, "/auth/register", None, Some(body)).await
}

async fn log_in(client: Client, email: &str, password: &str) -> Response {
    let body = json!({ "email": email, "account_password": password });
    client.call(Method::POST, "/auth/login", None, Some(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_registers_and_is_who_she_says() {
    on_both(async |world| {
        let mut body = account("Ada@Example.org");
        body["device_locale"] = "zh-Hans".into();
        let answer = register(world.client(), body).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        let session = answer.data();
        assert_eq!(session["expires_in_seconds"], 300);
        assert_eq!(session.get("refresh_token"), None, "the cookie holds it");
        let token = session["access_token"].as_str().unwrap();
        let me = world.call(Method::GET, "/auth/me", Some(token), None).await;
        let mut me = me.data().clone();
        assert!(me["created_at"].is_string());
        me.as_object_mut().unwrap().remove("created_at");
        let expected = json!({
            "user_id": session["user_id"],
            "email": "ada@example.org",
            "display_name": "Ada",
            "device_locale": "zh-Hans",
        });
        assert_eq!(me, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_one_account_however_it_is_written_and_however_many_try_at_once() {
    on_both_with(
        |settings| settings.limits.registrations_per_email = 100,
        async |world| {
            let mut tries = JoinSet::new();
            for email in ["ada@example.org", "ADA@example.org", "Ada@Example.Org"].repeat(3) {
                tries.spawn(register(world.client(), account(email)));
            }
            let answers = tries.join_all().await;
            let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED);
            assert_eq!(made.count(), 1);
            let refused = answers.iter().filter(|answer| answer.refusal() == (409, "EMAIL_TAKEN"));
            assert_eq!(refused.count(), 8);
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_rule_is_reported_with_its_place_and_without_its_value() {
    on_both(async |world| {
        for (field, value, status, code) in [
            ("email", json!("nobody"), 422, "VALIDATION_FAILED"),
            ("email", json!(7), 400, "BAD_REQUEST"),
            ("account_password", json!("planted"), 422, "VALIDATION_FAILED"),
            ("account_password", json!("x".repeat(1025)), 422, "VALIDATION_FAILED"),
            ("display_name", json!(""), 422, "VALIDATION_FAILED"),
            ("device_locale", json!("not a tag"), 422, "VALIDATION_FAILED"),
            ("cookie", json!("no"), 400, "BAD_REQUEST"),
        ] {
            let mut body = account("ada@example.org");
            body[field] = value;
            let answer = register(world.client(), body).await;
            assert_eq!(answer.refusal(), (status, code), "{field}");
            let error = &answer.body["error"];
            assert_eq!(error["params"]["pointer"], format!("/{field}"), "{field}");
            assert!(!error.to_string().contains("planted"), "{error}");
        }
        let shortest = json!({
            "email": "ada@example.org", "account_password": "12345678", "display_name": "A",
        });
        assert_eq!(register(world.client(), shortest).await.status, StatusCode::CREATED);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_password_begins_a_session_and_the_wrong_one_says_nothing_about_the_account() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let right = log_in(world.client(), "ADA@example.org", PASSWORD).await;
        assert_eq!((right.status, &right.data()["user_id"]), (StatusCode::OK, &json!(ada.user_id)));
        let wrong = log_in(world.client(), "ada@example.org", "wrong").await;
        let unknown = log_in(world.client(), "nobody@example.org", PASSWORD).await;
        assert_eq!(wrong.refusal(), (401, "INVALID_CREDENTIALS"));
        assert_eq!(wrong.body, unknown.body);
    })
    .await;
}

async fn fail(client: Client, email: &str, times: usize) {
    for _ in 0..times {
        let wrong = log_in(client, email, "wrong").await;
        assert_eq!(wrong.refusal(), (401, "INVALID_CREDENTIALS"));
    }
}

#[track_caller]
fn assert_locked(answer: &Response) -> u64 {
    assert_eq!(answer.refusal(), (423, "ACCOUNT_LOCKED"));
    let wait = answer.body["error"]["params"]["retry_after"].as_u64().unwrap();
    assert_eq!(answer.headers[RETRY_AFTER], wait.to_string());
    assert!((1..=LOCK.as_secs()).contains(&wait), "{wait}");
    wait
}

#[tokio::test(flavor = "multi_thread")]
async fn five_failures_lock_the_account_for_a_quarter_of_an_hour_also_for_the_right_password() {
    on_both(async |world| {
        world.person("ada").await;
        let client = world.client();
        fail(client, "ada@example.org", 4).await;
        assert!(log_in(client, "ada@example.org", PASSWORD).await.status.is_success());
        // A success has forgotten the four.
        fail(client, "ada@example.org", 5).await;
        assert_locked(&log_in(client, "Ada@example.org", PASSWORD).await);
        world.advance(LOCK - Duration::from_secs(10));
        let left = assert_locked(&log_in(client, "ada@example.org", "wrong").await);
        assert!(left <= 10);
        world.advance(Duration::from_secs(left));
        fail(client, "ada@example.org", 4).await;
        assert!(log_in(client, "ada@example.org", PASSWORD).await.status.is_success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_an_account_locks_in_the_same_way() {
    on_both(async |world| {
        world.person("ada").await;
        let mut answers = Vec::new();
        for email in ["ada@example.org", "nobody@example.org"] {
            fail(world.client(), email, 5).await;
            let locked = log_in(world.client(), email, "wrong").await;
            assert_locked(&locked);
            answers.push((locked.body["error"]["code"].clone(), locked.status));
        }
        assert_eq!(answers[0], answers[1]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_survives_a_restart_and_holds_on_every_node() {
    for postgres in [false, true] {
        let world = World::start(postgres, |_| {}).await;
        world.person("ada").await;
        fail(world.client(), "ada@example.org", 3).await;
        let world = world.restarted().await;
        fail(world.client(), "ada@example.org", 2).await;
        let world = world.restarted().await;
        assert_locked(&log_in(world.client(), "ada@example.org", PASSWORD).await);
        if postgres {
            let node = world.second_node().await;
            assert_locked(&log_in(Client::of(node.address()), "ada@example.org", PASSWORD).await);
            node.stop().await;
        }
        world.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_guesses_at_once_five_are_answered_and_the_right_one_behind_them_is_not() {
    on_both(async |world| {
        world.person("ada").await;
        let client = world.client();
        let mut guesses = JoinSet::new();
        for _ in 0..30 {
            guesses.spawn(log_in(client, "ada@example.org", "wrong"));
        }
        let answers = guesses.join_all().await;
        let answered = answers.iter().filter(|answer| answer.status.as_u16() == 401).count();
        let locked = answers.iter().filter(|answer| answer.status.as_u16() == 423).count();
        assert_eq!((answered, locked), (5, 25));
        assert_locked(&log_in(client, "ada@example.org", PASSWORD).await);
    })
    .await;
}

#[track_caller]
fn assert_limited(answer: &Response) {
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED"));
    let wait = answer.body["error"]["params"]["retry_after"].as_u64().unwrap();
    assert_eq!(answer.headers[RETRY_AFTER], wait.to_string());
    assert!((1..=600).contains(&wait), "{wait}");
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_and_logins_from_one_address_are_limited() {
    on_both_with(
        |settings| {
            settings.public_url = Some("https://relay.example.org".parse().unwrap());
            settings.limits.registrations_per_address = 3;
            settings.limits.logins_per_address = 4;
        },
        async |world| {
            let client = world.client();
            for number in 0..3 {
                let answer = register(client, account(&format!("ada{number}@example.org"))).await;
                assert_eq!(answer.status, StatusCode::CREATED);
            }
            assert_limited(&register(client, account("ada3@example.org")).await);
            for number in 0..4 {
                let email = format!("ada{}@example.org", number % 2);
                assert!(log_in(client, &email, PASSWORD).await.status.is_success());
            }
            assert_limited(&log_in(client, "ada0@example.org", PASSWORD).await);
            world.advance(Duration::from_secs(600));
            assert!(register(client, account("ada3@example.org")).await.status.is_success());
            assert!(log_in(client, "ada0@example.org", PASSWORD).await.status.is_success());
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_that_are_refused_count_against_the_address_they_come_from() {
    on_both_with(
        |settings| {
            settings.public_url = Some("https://relay.example.org".parse().unwrap());
            settings.limits.logins_per_address = 7;
            settings.limits.registrations_per_address = 7;
        },
        async |world| {
            let client = world.client();
            fail(client, "ada@example.org", 5).await;
            assert_locked(&log_in(client, "ada@example.org", "wrong").await);
            assert_locked(&log_in(client, "ada@example.org", "wrong").await);
            assert_limited(&log_in(client, "ada@example.org", "wrong").await);
            for _ in 0..5 {
                register(client, account("ada@example.org")).await;
            }
            // The limit of the e-mail address is used up, and then that of the network address.
            assert_limited(&register(client, account("ada@example.org")).await);
            assert_limited(&register(client, account("ada@example.org")).await);
            assert_limited(&register(client, account("bob@example.org")).await);
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_with_one_e_mail_address_are_limited() {
    on_both(async |world| {
        let client = world.client();
        assert!(register(client, account("ada@example.org")).await.status.is_success());
        for _ in 0..4 {
            let again = register(client, account("ada@example.org")).await;
            assert_eq!(again.refusal(), (409, "EMAIL_TAKEN"));
        }
        assert_limited(&register(client, account("ADA@example.org")).await);
        assert!(register(client, account("bob@example.org")).await.status.is_success());
    })
    .await;
}
