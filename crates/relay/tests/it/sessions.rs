//! Going on with a session, and ending it.

use std::time::Duration;

use assent_relay::Settings;
use bytes::Bytes;
use http::{
    Method, Request,
    header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE},
};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    person::{PASSWORD, Person},
    socket::Came,
    world::{Client, Response, World, on_both, on_both_with},
};

/// `CloseCode::SessionEnded`
const SESSION_ENDED: u16 = 4410;

/// How long an exchange may be repeated, where it may be at all.
const GRACE: Duration = Duration::from_secs(30);

fn graceful(settings: &mut Settings) {
    settings.limits.refresh_grace = GRACE;
}

async fn refresh(client: Client, token: String) -> Response {
    let body = json!({ "refresh_token": token });
    client.call(Method::POST, "/auth/refresh", None, Some(body)).await
}

fn next_token(answer: &Response) -> String {
    answer.data()["refresh_token"].as_str().unwrap().to_owned()
}

async fn post_with_cookie(world: &World, path: &str, host: &str, cookie: &str) -> Response {
    let request = Request::post(path).header(HOST, host).header(COOKIE, cookie);
    world.send(request.body(Full::new(Bytes::new())).unwrap()).await
}

/// The events of a person, without their numbers.
async fn events(person: &Person) -> Vec<Value> {
    let answer = person.call(Method::GET, "/h2a/events?after=0", None).await;
    answer.data().as_array().unwrap().iter().map(|event| event["data"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_gives_the_next_one_and_an_access_token_for_the_same_person() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        assert!(ada.refresh_token.starts_with("hrt_") && ada.refresh_token.len() == 44);
        let answer = refresh(world.client(), ada.refresh_token.clone()).await;
        assert_eq!(answer.headers.get(SET_COOKIE), None, "it came in the body, it goes back so");
        assert_ne!(next_token(&answer), ada.refresh_token);
        let token = answer.data()["access_token"].as_str().unwrap();
        let me = world.call(Method::GET, "/auth/me", Some(token), None).await;
        assert_eq!(me.data()["user_id"], ada.user_id);
        let third = refresh(world.client(), next_token(&answer)).await;
        assert!(third.status.is_success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_keeps_the_token_in_a_cookie_that_only_logging_in_and_out_sees() {
    on_both(async |world| {
        world.person("ada").await;
        for (host, secure) in [("127.0.0.1:1", ""), ("relay.example.org", "; Secure")] {
            let body = json!({ "email": "ada@example.org", "account_password": PASSWORD });
            let request = Request::post("/auth/login").header(HOST, host);
            let request = request.header(CONTENT_TYPE, "application/json");
            let request = request.body(Full::new(Bytes::from(body.to_string()))).unwrap();
            let answer = world.send(request).await;
            assert_eq!(answer.data().get("refresh_token"), None);
            let first = cookie(&answer, secure);
            let answer = post_with_cookie(world, "/auth/refresh", host, &first).await;
            assert_eq!(answer.data().get("refresh_token"), None);
            let second = cookie(&answer, secure);
            assert_ne!(first, second);
            let answer = post_with_cookie(world, "/auth/logout", host, &second).await;
            assert_eq!(answer.data(), &json!({}));
            let cleared =
                format!("refresh_token=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Strict{secure}");
            assert_eq!(answer.headers[SET_COOKIE], cleared.as_str());
            let answer = post_with_cookie(world, "/auth/refresh", host, &second).await;
            assert_eq!(answer.refusal(), (401, "SESSION_REVOKED"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_that_forwards_no_names_the_public_url_makes_the_cookie_secure() {
    for (public_url, secure) in [
        ("https://relay.example.org", "; Secure"),
        ("http://relay.example.org", "; Secure"),
        ("https://localhost:8443", "; Secure"),
        ("http://localhost:8700", ""),
    ] {
        let world = World::start(false, |settings: &mut Settings| {
            settings.public_url = Some(public_url.parse().unwrap());
        })
        .await;
        // This is what a `proxy_pass` sends by default.
        let body = json!({
            "email": "ada@example.org", "account_password": PASSWORD, "display_name": "Ada",
        });
        let answer = world.call(Method::POST, "/auth/register", None, Some(body)).await;
        let first = cookie(&answer, secure);
        let answer = post_with_cookie(&world, "/auth/refresh", "127.0.0.1:8700", &first).await;
        cookie(&answer, secure);
        world.stop().await;
    }
}

/// The pair that a browser would send back.
#[track_caller]
fn cookie(answer: &Response, secure: &str) -> String {
    let cookie = answer.headers[SET_COOKIE].to_str().unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    let expected = format!("Path=/auth; Max-Age=2592000; HttpOnly; SameSite=Strict{secure}");
    assert_eq!(attributes, expected);
    pair.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_valid_token_a_refresh_and_a_logout_are_refused() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        for path in ["/auth/refresh", "/auth/logout"] {
            let nothing = world.call(Method::POST, path, None, None).await;
            assert_eq!(nothing.refusal(), (401, "UNAUTHENTICATED"), "{path}");
            for token in ["", "hrt_", "hrt_0000000000000000000000000000000000000000", &ada.token] {
                let body = Some(json!({ "refresh_token": token }));
                let answer = world.call(Method::POST, path, None, body).await;
                assert_eq!(answer.refusal(), (401, "UNAUTHENTICATED"), "{path} {token}");
            }
        }
        let bearer = world.call(Method::POST, "/auth/refresh", Some(&ada.token), None).await;
        assert_eq!(bearer.refusal(), (401, "UNAUTHENTICATED"), "an access token is another thing");
        let wrong = Some(json!({ "refresh_token": 7 }));
        let wrong = world.call(Method::POST, "/auth/refresh", None, wrong).await;
        assert_eq!(wrong.refusal(), (400, "BAD_REQUEST"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_time_of_grace_a_repeated_refresh_gets_the_same_answer() {
    on_both_with(graceful, async |world| {
        let ada = world.person("ada").await;
        let mut tries = JoinSet::new();
        for _ in 0..10 {
            tries.spawn(refresh(world.client(), ada.refresh_token.clone()));
        }
        let answers = tries.join_all().await;
        let token = next_token(&answers[0]);
        assert!(answers.iter().all(|answer| next_token(answer) == token));
        world.advance(Duration::from_secs(20));
        assert_eq!(next_token(&refresh(world.client(), ada.refresh_token.clone()).await), token);
        assert!(refresh(world.client(), token).await.status.is_success());
        assert!(events(&ada).await.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_uses_of_one_token_at_once_end_the_session() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let mut tries = JoinSet::new();
        for _ in 0..10 {
            tries.spawn(refresh(world.client(), ada.refresh_token.clone()));
        }
        let answers = tries.join_all().await;
        let (given, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status.is_success());
        assert_eq!((given.len(), refused.len()), (1, 9));
        assert!(refused.iter().all(|answer| answer.refusal() == (401, "SESSION_REVOKED")));
        let next = refresh(world.client(), next_token(given[0])).await;
        assert_eq!(next.refusal(), (401, "SESSION_REVOKED"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reused_token_ends_the_session_everywhere_and_sends_an_event() {
    let strict: fn(&mut Settings) = |_| {};
    // At once; with a time of grace after its successor was used; or too late, although that was not used.
    for (settings, used, pause) in [
        (strict, false, Duration::ZERO),
        (strict, true, Duration::ZERO),
        (graceful, true, Duration::ZERO),
        (graceful, false, GRACE),
    ] {
        on_both_with(settings, async |world| {
            let ada = world.person("ada").await;
            let elsewhere = ada.logged_in_again().await;
            let mut socket = ada.socket(None).await;
            socket.expect("auth.ok").await;
            let second = next_token(&refresh(world.client(), ada.refresh_token.clone()).await);
            if used {
                refresh(world.client(), second.clone()).await.data();
            }
            world.advance(pause);
            let stolen = refresh(world.client(), ada.refresh_token.clone()).await;
            assert_eq!(stolen.refusal(), (401, "SESSION_REVOKED"));
            // Neither the thief nor the owner of the token goes on.
            let newest = refresh(world.client(), second).await;
            assert_eq!(newest.refusal(), (401, "SESSION_REVOKED"));
            let me = ada.call(Method::GET, "/auth/me", None).await;
            assert_eq!(me.refusal(), (401, "SESSION_REVOKED"));
            let told = socket.expect("session.invalidated").await;
            assert_eq!(told["data"]["reason"], "token_reused");
            assert_eq!(socket.next().await, Came::Close(SESSION_ENDED));
            // Other logins of the same person go on, and get one event.
            let told = events(&elsewhere).await;
            assert_eq!(told.len(), 1);
            assert_eq!(told[0]["reason"], "token_reused");
            assert!(refresh(world.client(), elsewhere.refresh_token).await.status.is_success());
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refresh_token_is_valid_for_thirty_days() {
    on_both(async |world| {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let mut token = world.person("ada").await.refresh_token;
        for _ in 0..3 {
            world.advance(DAY * 29);
            token = next_token(&refresh(world.client(), token).await);
        }
        world.advance(DAY * 30);
        let late = refresh(world.client(), token).await;
        assert_eq!(late.refusal(), (401, "TOKEN_EXPIRED"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_one_session_by_either_token_and_twice_is_no_failure() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        let by_refresh_token = ada.logged_in_again().await;
        let mut socket = ada.socket(None).await;
        socket.expect("auth.ok").await;
        for _ in 0..2 {
            let body = Some(json!({ "refresh_token": by_refresh_token.refresh_token }));
            let answer = world.call(Method::POST, "/auth/logout", None, body).await;
            assert_eq!(answer.data(), &json!({}));
        }
        let me = by_refresh_token.call(Method::GET, "/auth/me", None).await;
        assert_eq!(me.refusal(), (401, "SESSION_REVOKED"));
        let told = socket.expect("session.invalidated").await;
        assert_eq!(told["data"]["reason"], "logged_out");
        assert!(told["data"]["session_id"].as_str().unwrap().starts_with("fam_"));
        assert!(ada.call(Method::GET, "/auth/me", None).await.status.is_success());
        for _ in 0..2 {
            let answer = ada.call(Method::POST, "/auth/logout", None).await;
            assert_eq!(answer.data(), &json!({}));
        }
        socket.expect("session.invalidated").await;
        assert_eq!(socket.next().await, Came::Close(SESSION_ENDED));
        let refused = refresh(world.client(), ada.refresh_token.clone()).await;
        assert_eq!(refused.refusal(), (401, "SESSION_REVOKED"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_that_is_too_old_says_so_also_when_logging_out() {
    on_both(async |world| {
        let ada = world.person("ada").await;
        world.advance(Duration::from_secs(300));
        for (method, path) in [(Method::GET, "/auth/me"), (Method::POST, "/auth/logout")] {
            let answer = ada.call(method, path, None).await;
            assert_eq!(answer.refusal(), (401, "TOKEN_EXPIRED"), "{path}");
        }
        assert!(refresh(world.client(), ada.refresh_token).await.status.is_success());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_on_every_node_and_survives_a_restart() {
    for postgres in [false, true] {
        let world = World::start(postgres, |_| {}).await;
        let ada = world.person("ada").await;
        let world = world.restarted().await;
        let token = next_token(&refresh(world.client(), ada.refresh_token.clone()).await);
        if postgres {
            let node = world.second_node().await;
            let there = Client::of(node.address());
            let there = Person { client: there, ..ada.clone() };
            let mut socket = there.socket(None).await;
            socket.expect("auth.ok").await;
            let body = Some(json!({ "refresh_token": token }));
            world.call(Method::POST, "/auth/logout", None, body).await.data();
            let me = there.call(Method::GET, "/auth/me", None).await;
            assert_eq!(me.refusal(), (401, "SESSION_REVOKED"));
            socket.expect("session.invalidated").await;
            assert_eq!(socket.next().await, Came::Close(SESSION_ENDED));
            node.stop().await;
        }
        world.stop().await;
    }
}
