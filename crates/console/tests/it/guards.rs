//! Which requests of browsers pass: every combination of what a request says about itself.

use std::net::SocketAddr;

use assent_console::{Console, ConsoleOptions};
use assent_device::{Device, DeviceOptions};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// A console of a device without an account.
struct Guarded {
    console: Console,
    address: SocketAddr,
    session: String,
    _directory: TempDir,
}

/// One request. What is `None` is not sent.
#[derive(Clone, Copy, Debug)]
struct Try<'a> {
    method: &'a str,
    path: &'a str,
    host: &'a str,
    origin: Option<&'a str>,
    site: Option<&'a str>,
    token: Option<&'a str>,
    is_json: bool,
}

impl Guarded {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let options = DeviceOptions::in_directory(directory.path().join("device"));
        let device = Device::open(options).await.unwrap();
        let listen = Some(([127, 0, 0, 1], 0).into());
        let options = ConsoleOptions { listen, control_socket: None };
        let console = Console::start(device, options).await.unwrap();
        let address = console.url().unwrap().strip_prefix("http://").unwrap().parse().unwrap();
        let link = console.new_link().unwrap();
        let token = link.split_once("#token=").unwrap().1.to_owned();
        let mut guarded = Self { console, address, session: String::new(), _directory: directory };
        let (status, body) = guarded.raw(&guarded.session_request(&token)).await;
        assert_eq!(status, 200, "{body}");
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        guarded.session = body["data"]["session"].as_str().unwrap().to_owned();
        guarded
    }

    fn session_request(&self, token: &str) -> String {
        let body = serde_json::json!({ "token": token }).to_string();
        format!(
            "POST /api/v1/session HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    /// Sends bytes on a connection of their own. Returns the status and the body.
    async fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    async fn send(&self, request: Try<'_>) -> (u16, String) {
        let Try { method, path, host, origin, site, token, is_json } = request;
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        let mut header = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
        };
        header("origin", origin);
        header("sec-fetch-site", site);
        header("authorization", token.map(|token| format!("Bearer {token}")).as_deref());
        header("content-type", is_json.then_some("application/json"));
        text.push_str("\r\n");
        self.raw(&text).await
    }
}

/// The status that a request should have. The checks are made in this order.
fn expected(request: Try<'_>, own: &[String; 3], session: &str) -> u16 {
    let Try { method, path, host, origin, site, token, is_json } = request;
    let is_api = path.starts_with("/api/v1/");
    let is_own_origin = origin.is_none_or(|origin| origin == format!("http://{host}"));
    let is_own_page = match site {
        None | Some("same-origin") => true,
        Some("none") => !is_api,
        Some(_) => false,
    };
    if !own.iter().any(|own| own == host) || !is_own_origin || !is_own_page {
        return 403;
    }
    match method {
        "OPTIONS" | "TRACE" => return 405,
        "GET" => {}
        _ if !is_json => return 415,
        _ => {}
    }
    if is_api && token != Some(session) {
        return 401;
    }
    match (method, path) {
        ("GET", "/" | "/api/v1/state") => 200,
        (_, "/" | "/api/v1/state") => 405,
        // The device has no account.
        _ => 409,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_requests_of_the_own_pages_with_a_session_pass() {
    let guarded = Guarded::new().await;
    let port = guarded.address.port();
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
    let hosts = [&own[0], &own[1], "127.0.0.1", "attacker.example"];
    let own_origin = format!("http://{}", own[0]);
    let origins = [None, Some(own_origin.as_str()), Some("null"), Some("https://attacker.example")];
    let sites = [None, Some("same-origin"), Some("none"), Some("same-site"), Some("cross-site")];
    let tokens = [None, Some(guarded.session.as_str())];
    let mut tried = 0;
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/api/v1/state"),
        ("POST", "/api/v1/state"),
        ("DELETE", "/api/v1/state"),
        ("POST", "/api/v1/account/logout"),
        ("OPTIONS", "/api/v1/state"),
        ("OPTIONS", "/"),
    ] {
        for host in hosts {
            for origin in origins {
                for site in sites {
                    for token in tokens {
                        for is_json in [false, true] {
                            let request = Try { method, path, host, origin, site, token, is_json };
                            let (status, body) = guarded.send(request).await;
                            let mut expected = expected(request, &own, &guarded.session);
                            // Many requests without a session are refused for a while.
                            if expected == 401 && status == 429 {
                                expected = 429;
                            }
                            assert_eq!(status, expected, "{request:?}: {body}");
                            assert!(status != 403 || body.is_empty(), "{request:?}: {body}");
                            tried += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(tried >= 2000, "{tried}");
    guarded.console.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_exactly_one_host_is_malformed() {
    let guarded = Guarded::new().await;
    let host = guarded.address;
    for hosts in ["", &format!("host: {host}\r\nhost: {host}\r\n")] {
        let request = format!("GET / HTTP/1.1\r\n{hosts}connection: close\r\n\r\n");
        assert_eq!(guarded.raw(&request).await.0, 400, "{hosts}");
    }
    guarded.console.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_works_once_and_a_wrong_body_is_a_clear_error() {
    let guarded = Guarded::new().await;
    let link = guarded.console.new_link().unwrap();
    let request = guarded.session_request(link.split_once("#token=").unwrap().1);
    assert_eq!(guarded.raw(&request).await.0, 200);
    let (status, body) = guarded.raw(&request).await;
    assert_eq!(status, 401);
    assert!(body.contains("assent device open"), "{body}");
    for bad in ["", "{", "[]", "null", "{\"token\":7}", "{\"token\":\"\\ud800\"}"] {
        let request = format!(
            "POST /api/v1/session HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{bad}",
            guarded.address,
            bad.len()
        );
        let (status, body) = guarded.raw(&request).await;
        assert_eq!(status, 400, "{bad}: {body}");
        assert!(body.contains("\"code\""), "{bad}: {body}");
    }
    guarded.console.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_is_served_on_loopback_only() {
    let directory = tempfile::tempdir().unwrap();
    let options = DeviceOptions::in_directory(directory.path().join("device"));
    let device = Device::open(options).await.unwrap();
    let listen = Some(([0, 0, 0, 0], 0).into());
    let started = Console::start(device, ConsoleOptions { listen, control_socket: None }).await;
    let error = started.unwrap_err().to_string();
    assert!(error.contains("loopback"), "{error}");
}
