//! The client, against real sockets.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    operations::{
        accounts::{Login, Me, Register},
        admin::{BackUp, ListAllAgents},
        agents::{AgentSearch, GetAgent, SearchAgents, UpdateAgent},
        conversations::SendMessage,
        observability::Metrics,
    },
    path::{AgentPath, ConversationPath},
    read::read_body,
};
use assent_relay_client::{
    Answer, Client, ClientError, ClientOptions, Credentials, Retries, Roots,
};
use http::HeaderMap;
use tokio::net::TcpListener;

use crate::service::{Say, Script, localhost, on_loopback, on_socket, serve};

const ACCOUNT: &str = r#"{"data":{"user_id":"usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G","email":"a@b.c","display_name":"A","created_at":"2026-05-08T09:30:00.000Z"}}"#;
const SENT: &str =
    r#"{"data":{"message_id":"msg_01JZ8Q4Y7N3M5K2B9C6D1E0F4G","conversation_seq":7}}"#;
const EMPTY_PAGE: &str = r#"{"data":[],"next_cursor":null}"#;

/// No certificate is trusted, so that none are loaded.
fn options() -> ClientOptions {
    ClientOptions { roots: Roots::Only(Vec::new()), ..ClientOptions::default() }
}

fn say(status: u16, body: &str) -> Say {
    Say(status, &[("content-type", "application/json")], body.to_owned())
}

fn refuse(code: ApiCode, params: &str) -> Say {
    let body = format!(
        r#"{{"error":{{"code":"{code}","message":"no","i18n_key":"x","params":{params}}}}}"#
    );
    say(code.http_status(), &body)
}

async fn client_of(
    answers: impl IntoIterator<Item = Say>,
    options: ClientOptions,
) -> (Client, Arc<Script>) {
    let script = Script::new(answers);
    let url = on_loopback(&script).await;
    let credentials = Credentials::bearer("planted".to_owned());
    (Client::with_options(&url, credentials, &options).unwrap(), script)
}

fn agent() -> AgentPath {
    AgentPath { agent_id: "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap() }
}

async fn send_message(
    client: &Client,
) -> Result<Answer<assent_relay_api::operations::conversations::SentMessage>, ClientError> {
    let conversation =
        ConversationPath { conversation_id: "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K".parse().unwrap() };
    let message = read_body(include_bytes!(
        "../../../relay-api/src/operations/conversations/send_message.json"
    ))
    .unwrap();
    client.call_with::<SendMessage>(&conversation, &(), &message, HeaderMap::new()).await
}

#[tokio::test]
async fn a_call_is_written_as_the_interface_says_and_its_answer_read() {
    let (client, script) = client_of([say(200, ACCOUNT)], options()).await;
    let account = client.call::<Me>(&(), &(), &()).await.unwrap();
    assert_eq!(account.display_name, "A");
    let seen = script.last();
    assert_eq!(
        (seen.method.as_str(), seen.target.as_str(), seen.body.as_str()),
        ("GET", "/auth/me", "")
    );
    assert_eq!(seen.headers["authorization"], "Bearer planted");
    assert!(!seen.headers.contains_key("content-type"));
}

#[tokio::test]
async fn paths_queries_headers_and_bodies_go_where_they_belong() {
    let (client, script) = client_of([say(200, EMPTY_PAGE)], options()).await;
    let search = AgentSearch {
        q: Some("a/b? é&=".parse().unwrap()),
        owned: Some(true),
        limit: Some(7.try_into().unwrap()),
        ..AgentSearch::default()
    };
    let page = client.call::<SearchAgents>(&(), &search, &()).await.unwrap();
    assert!(page.data.is_empty() && page.next_cursor.is_none());
    let target = script.last().target;
    assert!(target.starts_with("/agents?"), "{target}");
    let read: AgentSearch =
        assent_relay_api::read::read_query(target.split_once('?').unwrap().1).unwrap();
    assert_eq!(read, search);

    let updated = r#"{"data":{"agent_id":"agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K","capability_manifest_version":0,"capability_manifest_hash":null,"breaking_changes":[],"changes":[],"warnings":[]}}"#;
    let (client, script) =
        client_of([Say(200, &[("etag", "\"abc\"")], updated.to_owned())], options()).await;
    let mut headers = HeaderMap::new();
    headers.insert("if-match", "\"abc\"".parse().unwrap());
    let changes =
        read_body(include_bytes!("../../../relay-api/src/operations/agents/update_agent.json"))
            .unwrap();
    let answer = client.call_with::<UpdateAgent>(&agent(), &(), &changes, headers).await.unwrap();
    assert_eq!(answer.headers["etag"], "\"abc\"");
    let seen = script.last();
    assert_eq!(seen.target, "/agents/agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K");
    assert_eq!(
        (&seen.headers["if-match"], &seen.headers["content-type"]),
        (&"\"abc\"".parse().unwrap(), &"application/json".parse().unwrap())
    );
    assert!(seen.body.contains("\"connection_mode\":\"webhook\""));
}

#[tokio::test]
async fn what_was_done_before_has_another_status() {
    let (client, _) = client_of([say(201, SENT), say(200, SENT)], options()).await;
    let first = send_message(&client).await.unwrap();
    let again = send_message(&client).await.unwrap();
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 200));
    assert_eq!(first.reply, again.reply);
}

#[tokio::test]
async fn a_refusal_says_what_where_and_what_to_do() {
    let (client, _) =
        client_of([refuse(ApiCode::ValidationFailed, r#"{"pointer":"/name"}"#)], options()).await;
    let error = client.call::<GetAgent>(&agent(), &(), &()).await.unwrap_err();
    assert_eq!(error.code(), Some(ApiCode::ValidationFailed));
    assert_eq!(error.to_string(), "VALIDATION_FAILED: no (at `/name`)");
    let ClientError::Refused(refusal) = error else { panic!("{error}") };
    assert_eq!(refusal.advice(), Some("Correct the value that `pointer` names."));

    let locked = Say(423, &[("retry-after", "900")], refuse(ApiCode::AccountLocked, "{}").2);
    let (client, _) = client_of([locked], options()).await;
    let credentials =
        read_body(include_bytes!("../../../relay-api/src/operations/accounts/login.json")).unwrap();
    let error = client.call::<Login>(&(), &(), &credentials).await.unwrap_err();
    assert_eq!(error.to_string(), "ACCOUNT_LOCKED: no; try again in 900 s");
}

#[tokio::test]
async fn what_is_no_relay_is_recognised() {
    let (client, _) =
        client_of([Say(502, &[], "<html>\u{1b}[31mBad gateway".to_owned())], options()).await;
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "status 502: what answered does not speak like a relay: <html>\\u{1b}[31mBad gateway"
    );
    let (client, _) = client_of([say(200, r#"{"data":{"user_id":7}}"#)], options()).await;
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::Answer { operation: "me", .. }), "{error}");
    let (client, _) =
        client_of([Say(302, &[("location", "/elsewhere")], String::new())], options()).await;
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::Refused(_)), "redirects are not followed: {error}");
}

#[tokio::test]
async fn what_does_no_harm_twice_is_tried_again_if_asked() {
    let retries = Retries { attempts: 2, longest_wait: Duration::from_secs(2) };
    let patient = ClientOptions { retries, ..options() };
    let busy = || Say(503, &[("retry-after", "0")], refuse(ApiCode::StorageUnavailable, "{}").2);
    let (client, script) = client_of([busy(), busy(), say(201, SENT)], patient.clone()).await;
    assert_eq!(send_message(&client).await.unwrap().status.as_u16(), 201);
    assert_eq!(script.count(), 3);
    let bodies: Vec<String> =
        script.seen.lock().unwrap().iter().map(|seen| seen.body.clone()).collect();
    assert!(
        bodies[0] == bodies[1] && bodies[1] == bodies[2],
        "the same message under the same name"
    );

    let (client, script) = client_of([busy()], patient.clone()).await;
    assert_eq!(send_message(&client).await.unwrap_err().code(), Some(ApiCode::StorageUnavailable));
    assert_eq!(script.count(), 3, "and then it is given up");

    let (client, script) = client_of([busy()], options()).await;
    assert!(send_message(&client).await.is_err());
    assert_eq!(script.count(), 1, "nobody asked for more");

    let (client, script) = client_of([busy()], patient.clone()).await;
    let account =
        read_body(include_bytes!("../../../relay-api/src/operations/accounts/register.json"))
            .unwrap();
    assert!(client.call::<Register>(&(), &(), &account).await.is_err());
    assert_eq!(script.count(), 1, "a second time could do something else");

    let (client, script) =
        client_of([refuse(ApiCode::RateLimited, r#"{"retry_after":3}"#)], patient.clone()).await;
    let begun = Instant::now();
    assert!(send_message(&client).await.is_err());
    assert_eq!(script.count(), 1, "the wait would be too long");
    assert!(begun.elapsed() < Duration::from_secs(2));

    let (client, script) = client_of(
        [refuse(ApiCode::RateLimited, r#"{"retry_after":1}"#), say(201, SENT)],
        patient.clone(),
    )
    .await;
    assert!(send_message(&client).await.is_ok());
    assert_eq!(script.count(), 2);
    assert!(begun.elapsed() >= Duration::from_secs(1));

    let (client, script) = client_of([refuse(ApiCode::RelationInactive, "{}")], patient).await;
    assert!(send_message(&client).await.is_err());
    assert_eq!(script.count(), 1, "waiting does not help");
}

#[tokio::test]
async fn answers_are_bounded_in_length_and_time() {
    let text = "x".repeat(1000);
    let exact = ClientOptions { max_answer_bytes: 1000, ..options() };
    let (client, _) = client_of([Say(200, &[], text.clone())], exact).await;
    assert_eq!(client.call::<Metrics>(&(), &(), &()).await.unwrap().0, text);
    let short = ClientOptions { max_answer_bytes: 999, ..options() };
    let (client, _) = client_of([Say(200, &[], text)], short).await;
    let error = client.call::<Metrics>(&(), &(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::TooLarge(999)), "{error}");

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let hasty = ClientOptions { call_timeout: Duration::from_millis(200), ..options() };
    let client = Client::with_options(&url, Credentials::None, &hasty).unwrap();
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the relay cannot be reached: there was no complete answer within 0.2 s"
    );
    drop(listener);
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn the_relay_is_reached_over_tls_if_its_certificate_is_trusted() {
    let (acceptor, certificate) = localhost();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/below", listener.local_addr().unwrap().port());
    let script = Script::new([say(200, ACCOUNT)]);
    let answering = Arc::clone(&script);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, script) = (acceptor.clone(), Arc::clone(&answering));
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    serve(stream, script).await;
                }
            });
        }
    });
    let trusting = ClientOptions { roots: Roots::Only(vec![certificate]), ..options() };
    let client = Client::with_options(&url, Credentials::None, &trusting).unwrap();
    assert!(client.call::<Me>(&(), &(), &()).await.is_ok());
    assert_eq!(script.last().target, "/below/auth/me");
    let client = Client::with_options(&url, Credentials::None, &options()).unwrap();
    let error = client.call::<Me>(&(), &(), &()).await.unwrap_err().to_string();
    assert!(error.contains("UnknownIssuer"), "{error}");
}

#[tokio::test]
async fn the_admin_socket_is_spoken_to_without_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let client = Client::admin(&path, &options());
    let error =
        client.call::<ListAllAgents>(&(), &Default::default(), &()).await.unwrap_err().to_string();
    assert!(error.contains("admin.sock") && error.ends_with("is the relay running?"), "{error}");

    let script = Script::new([say(200, EMPTY_PAGE), refuse(ApiCode::Conflict, "{}")]);
    on_socket(&path, &script);
    let page = client.call::<ListAllAgents>(&(), &Default::default(), &()).await.unwrap();
    assert!(page.data.is_empty());
    let seen = script.last();
    assert_eq!(seen.target, "/admin/agents");
    assert_eq!(seen.headers["host"], "localhost");
    assert!(!seen.headers.contains_key("authorization"));
    let request =
        read_body(include_bytes!("../../../relay-api/src/operations/admin/back_up.json")).unwrap();
    let error = client.call::<BackUp>(&(), &(), &request).await.unwrap_err();
    assert_eq!(error.code(), Some(ApiCode::Conflict));

    let tiny = Client::admin(&path, &ClientOptions { max_answer_bytes: 3, ..options() });
    let error = tiny.call::<ListAllAgents>(&(), &Default::default(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::TooLarge(3)), "{error}");
}

#[tokio::test]
async fn no_token_shows_in_a_debug_print_and_none_breaks_a_header() {
    let (client, script) = client_of([say(200, ACCOUNT)], options()).await;
    assert!(!format!("{client:?}").contains("planted"));
    let broken = client.with_credentials(Credentials::bearer("a\r\nX-Evil: 1".to_owned()));
    let error = broken.call::<Me>(&(), &(), &()).await.unwrap_err();
    assert!(matches!(error, ClientError::Token), "{error}");
    assert_eq!(script.count(), 0);
    let error =
        Client::with_options("http://relay.example", Credentials::None, &options()).unwrap_err();
    assert!(matches!(error, ClientError::BaseUrl(_)), "{error}");
}
