//! HTTP services: real sockets with all kinds of servers behind them.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use assent_hooks::{HttpHook, SecretRef, Sight};
use assent_policy::Decision;
use assent_protocol::agent_tool::HookEvent;
use assent_runtime::{Hook, HookEffects};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    moments::moment,
    service::{Service, at, hook, raw, reply, rude},
};

const PRE: HookEvent = HookEvent::PreToolUse;

async fn ask(hook: &HttpHook) -> Result<HookEffects, String> {
    let moment = moment(PRE);
    let answer = tokio::time::timeout(Duration::from_secs(30), hook.run(&moment)).await;
    answer.expect("it answers in time").map_err(|error| error.0)
}

#[tokio::test]
async fn a_service_gets_the_moment_and_answers_with_effects() {
    let service = Service::saying(200, r#"{"decide": {"behavior": "deny", "reason": "no"}}"#).await;
    let effects = ask(&service.hook()).await.unwrap();
    assert_eq!(effects.decide, Some((Decision::Deny, Some("no".to_owned()))));
    let seen = service.seen.lock().unwrap();
    let request = &seen[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/moments"));
    assert_eq!(request.headers["content-type"], "application/json");
    assert!(!request.headers.contains_key("authorization"));
    assert!(!request.headers.contains_key("webhook-signature"));
    assert!(request.body.contains("redacted:sha256:") && !request.body.contains("planted"));
}

#[tokio::test]
async fn a_trusted_service_sees_sensitive_values() {
    let service = Service::saying(204, "").await;
    let trusted = hook(service.url(), |terms, _| terms.sight = Sight::Full);
    ask(&trusted).await.unwrap();
    assert!(service.seen.lock().unwrap()[0].body.contains("planted"));
}

#[tokio::test]
async fn a_service_without_an_opinion_says_204_or_nothing() {
    for (status, body) in [(204, ""), (200, ""), (200, "{}")] {
        let service = Service::saying(status, body).await;
        assert_eq!(ask(&service.hook()).await.unwrap(), HookEffects::default(), "{status} {body}");
    }
}

#[tokio::test]
async fn any_other_status_is_a_failure_whatever_the_body_says() {
    for status in [201, 202, 206, 400, 401, 403, 404, 409, 429, 500, 503] {
        let service = Service::saying(status, r#"{"decide": {"behavior": "allow"}}"#).await;
        let error = ask(&service.hook()).await.unwrap_err();
        assert!(error.starts_with(&format!("it answered with status {status};")), "{error}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = Service::saying(200, r#"{"decide": {"behavior": "allow"}}"#).await;
    let location = format!("http://127.0.0.1:{}/", target.port);
    for status in [301, 302, 303, 307, 308] {
        let location = location.clone();
        let service = Service::new(Arc::new(move |_| {
            let mut response = reply(status, "");
            response.headers_mut().insert("location", location.parse().unwrap());
            response
        }));
        let error = ask(&service.await.hook()).await.unwrap_err();
        assert!(error.contains("redirects are not followed"), "{error}");
    }
    assert_eq!(target.connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn connections_are_used_again() {
    let service = Service::saying(200, "{}").await;
    let hook = service.hook();
    for _ in 0..10 {
        ask(&hook).await.unwrap();
    }
    assert_eq!(service.connections.load(Ordering::SeqCst), 1);
    assert_eq!(service.seen.lock().unwrap().len(), 10);
}

#[tokio::test]
async fn an_answer_that_is_not_understood_is_a_failure() {
    for (body, expected) in [
        (r#"{"stop": "a", "stop": "b"}"#, "the key `stop` occurs twice"),
        ("<html>planted</html>", "its answer is not understood: (1:1): expected a value"),
        (r#"{"update_input": {"password": "redacted:sha256:00ff"}}"#, "puts a mask"),
    ] {
        let service = Service::saying(200, body).await;
        let error = ask(&service.hook()).await.unwrap_err();
        assert!(error.contains(expected) && !error.contains("planted"), "{error}");
    }
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_agreed_and_no_longer() {
    let answer = r#"{"stop": "1234567890"}"#;
    let service = Service::saying(200, answer).await;
    let at = hook(service.url(), |terms, _| terms.max_answer_bytes = answer.len());
    assert!(ask(&at).await.unwrap().stop.is_some());
    let below = hook(service.url(), |terms, _| terms.max_answer_bytes = answer.len() - 1);
    let error = ask(&below).await.unwrap_err();
    assert!(error.starts_with("its answer is longer than 21 bytes"), "{error}");
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let port = rude(|mut stream| async move {
        let _head =
            stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await;
        let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
        while stream.write_all(&chunk).await.is_ok() {}
    });
    let error = ask(&hook(at(port.await), |_, _| {})).await.unwrap_err();
    assert!(error.starts_with("its answer is longer than 1048576 bytes"), "{error}");
}

#[tokio::test]
async fn what_is_not_http_is_a_failure() {
    for bytes in [
        b"".as_slice(),
        b"\0\xff\xfe garbage",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n",
    ] {
        let error = ask(&hook(at(raw(bytes).await), |_, _| {})).await.unwrap_err();
        assert!(error.starts_with("the request failed: "), "{error}");
    }
}

#[tokio::test]
async fn a_head_without_end_is_a_failure() {
    let port = rude(|mut stream| async move {
        let _status = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
        while stream.write_all(b"x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n").await.is_ok() {}
    });
    assert!(ask(&hook(at(port.await), |_, _| {})).await.is_err());
}

#[tokio::test]
async fn a_service_that_is_not_there_is_a_failure() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = free.local_addr().unwrap().port();
    drop(free);
    let error = ask(&hook(at(nobody), |_, _| {})).await.unwrap_err();
    assert!(error.contains("refused"), "{error}");
}

#[tokio::test]
async fn giving_up_on_a_service_closes_the_connection() {
    let (sender, closed) = tokio::sync::oneshot::channel();
    let sender = std::sync::Mutex::new(Some(sender));
    let port = rude(move |mut stream| {
        let sender = sender.lock().unwrap().take();
        async move {
            // Hangs until the other side goes away.
            let mut rest = Vec::new();
            let _end = stream.read_to_end(&mut rest).await;
            sender.unwrap().send(()).unwrap();
        }
    });
    let hook = hook(at(port.await), |_, _| {});
    let moment = moment(PRE);
    let hanging = tokio::time::timeout(Duration::from_millis(200), hook.run(&moment)).await;
    assert!(hanging.is_err());
    tokio::time::timeout(Duration::from_secs(10), closed).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_service_recognises_us_by_token_and_signature() {
    let service = Service::saying(204, "").await;
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        SecretRef::File(folder.path().join(name))
    };
    let (token, secret) =
        (place("token", "t0ken\n"), place("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"));
    let hook = hook(service.url(), |_, spec| {
        spec.bearer = Some(token);
        spec.signing_secret = Some(secret);
    });
    ask(&hook).await.unwrap();
    let seen = service.seen.lock().unwrap();
    let headers = &seen[0].headers;
    assert_eq!(headers["authorization"], "Bearer t0ken");
    assert_eq!(headers["webhook-id"], "hok_01HF7YAT00ABCDEFGHJKMNPQR1");
    assert_eq!(headers["webhook-timestamp"], "1700000000");
    // As a receiver computes it.
    let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("hok_01HF7YAT00ABCDEFGHJKMNPQR1.1700000000.{}", seen[0].body).as_bytes());
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(headers["webhook-signature"], expected);
}

#[tokio::test]
async fn without_its_secrets_nothing_is_sent_and_no_secret_is_shown() {
    let service = Service::saying(204, "").await;
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad");
    std::fs::write(&bad, "planted\u{1}token").unwrap();
    let place = SecretRef::File(bad);
    let nowhere = SecretRef::Env("ASSENT_NOT_SET".to_owned());
    let hooks = [
        hook(service.url(), |_, spec| spec.bearer = Some(nowhere.clone())),
        hook(service.url(), |_, spec| spec.signing_secret = Some(nowhere)),
        hook(service.url(), |_, spec| spec.bearer = Some(place.clone())),
        hook(service.url(), |_, spec| spec.signing_secret = Some(place)),
    ];
    for (hook, expected) in
        hooks.iter().zip(["ASSENT_NOT_SET", "ASSENT_NOT_SET", "`bearer`", "`signing_secret`"])
    {
        let error = ask(hook).await.unwrap_err();
        assert!(error.contains(expected) && !error.contains("planted"), "{error}");
    }
    assert!(service.seen.lock().unwrap().is_empty());
}
