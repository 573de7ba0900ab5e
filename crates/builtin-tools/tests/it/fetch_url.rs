//! `fetch_url`, from the request to the result.

use std::{
    net::IpAddr,
    sync::{Arc, Mutex},
};

use assent_builtin_tools::{BuiltinTool, FetchOptions, FetchUrl};
use assent_outbound::{Addresses, Resolve, Roots};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::pipeline::call;

/// A server on this machine.
struct Server {
    origin: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers each request, given its first line, and hangs up.
    async fn new(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = vec![0; 8192];
                let count = stream.read(&mut bytes).await.unwrap();
                let request = String::from_utf8(bytes[..count].to_vec()).unwrap();
                let answer = answer(request.lines().next().unwrap_or_default());
                seen.lock().unwrap().push(request);
                // The client may have read enough.
                let _written = stream.write_all(&answer).await;
            }
        });
        Self { origin, requests }
    }

    async fn saying(head: &str, body: &[u8]) -> Self {
        let answer = [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat();
        Self::new(move |_| answer.clone()).await
    }

    fn tool(&self) -> Arc<dyn BuiltinTool> {
        tool(&self.origin, FetchOptions::default().resolver)
    }

    async fn fetch(&self) -> Result<Value, String> {
        call(self.tool(), json!({"url": self.origin})).await
    }

    fn requests(&self) -> usize {
        self.requests.lock().unwrap().len()
    }
}

fn tool(allow_origins: &str, resolver: Arc<dyn Resolve>) -> Arc<dyn BuiltinTool> {
    let allow_origins = allow_origins.parse().unwrap();
    let roots = Roots::Only(Vec::new());
    Arc::new(FetchUrl::new(FetchOptions { allow_origins, roots, resolver }).unwrap())
}

#[tokio::test]
async fn a_page_is_fetched_without_cookies_and_compression() {
    let head = "404 Not Found\r\nset-cookie: a=b\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 4";
    let server = Server::saying(head, b"page").await;
    let input = json!({
        "url": format!("{}/a?b#c", server.origin),
        "method": "POST",
        "headers": {"accept": "text/html", "content-type": "text/plain"},
        "body": "sent",
    });
    let expected = json!({
        "status_code": 404,
        "headers": {"x-a": "1, 2", "content-length": "4"},
        "body": "page",
        "body_encoding": "utf-8",
        "url": format!("{}/a?b", server.origin),
        "truncated": false,
    });
    assert_eq!(call(server.tool(), input).await, Ok(expected));
    let host = server.origin.strip_prefix("http://").unwrap();
    let request = format!(
        "POST /a?b HTTP/1.1\r\naccept-encoding: identity\r\nuser-agent: assent\r\n\
         accept: text/html\r\ncontent-type: text/plain\r\nhost: {host}\r\ncontent-length: 4\r\n\r\nsent"
    );
    assert_eq!(*server.requests.lock().unwrap(), [request]);
}

#[tokio::test]
async fn at_most_512_kib_of_an_answer_are_kept() {
    for (length, truncated) in [(524_288, false), (524_289, true)] {
        let server = Server::saying("200 OK", &vec![b'x'; length]).await;
        let result = server.fetch().await.unwrap();
        assert_eq!(result["body"].as_str().unwrap().len(), 524_288);
        assert_eq!(result["truncated"], truncated);
    }
}

#[tokio::test]
async fn bytes_that_are_not_text_come_as_base64() {
    let server = Server::saying("200 OK\r\ncontent-encoding: gzip", b"\x1f\x8b\xff").await;
    let result = server.fetch().await.unwrap();
    assert_eq!((&result["body"], &result["body_encoding"]), (&json!("H4v/"), &json!("base64")));
}

#[tokio::test]
async fn the_largest_answer_fits_into_a_result() {
    let headers: Vec<String> = (0..80).map(|n| format!("x-{n}: {}", "v".repeat(700))).collect();
    let head = format!("200 OK\r\n{}", headers.join("\r\n"));
    let server = Server::saying(&head, &vec![0xff; 524_289]).await;
    let result = server.fetch().await.unwrap();
    assert_eq!(result["body"].as_str().unwrap().len(), 699_052);
    let length = result["headers"].to_string().len();
    assert!((7_000..9_000).contains(&length), "{length}");
}

#[tokio::test]
async fn five_redirects_are_followed() {
    for (redirects, followed) in [(0, true), (5, true), (6, false), (50, false)] {
        let server = Server::new(move |line| {
            let path = line.split(' ').nth(1).unwrap();
            let step: u32 = path.trim_start_matches('/').parse().unwrap_or(0);
            if step < redirects {
                format!(
                    "HTTP/1.1 302 Found\r\nlocation: /{}\r\ncontent-length: 0\r\n\r\n",
                    step + 1
                )
            } else {
                "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npage".to_owned()
            }
            .into_bytes()
        })
        .await;
        let result = server.fetch().await;
        if followed {
            let result = result.unwrap();
            let last = if redirects == 0 { String::new() } else { redirects.to_string() };
            assert_eq!(result["url"], format!("{}/{last}", server.origin));
            assert_eq!(result["body"], "page");
        } else {
            assert_eq!(result, Err("execution_failed".to_owned()));
            assert_eq!(server.requests(), 6);
        }
    }
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    let inside = Server::saying("200 OK", b"planted").await;
    for location in [inside.origin.as_str(), "https://169.254.169.254/", "https://localhost/"] {
        let head = format!("307 Temporary Redirect\r\nlocation: {location}");
        let server = Server::saying(&head, b"").await;
        assert_eq!(server.fetch().await, Err("sandbox_violation".to_owned()), "{location}");
    }
    assert_eq!(inside.requests(), 0);
}

#[tokio::test]
async fn a_post_is_not_repeated_elsewhere() {
    for status in [301, 302, 303, 307, 308] {
        let server = Server::saying(&format!("{status} x\r\nlocation: /b"), b"").await;
        let input = json!({"url": server.origin, "method": "POST", "body": "sent"});
        let result = call(server.tool(), input).await.unwrap();
        assert_eq!((&result["status_code"], server.requests()), (&json!(status), 1));
        assert_eq!(result["headers"]["location"], "/b");
    }
}

/// A resolver that leads every name to this machine, beside a public address.
struct Rebinding;

impl Resolve for Rebinding {
    fn resolve<'a>(&'a self, _name: &'a str) -> Addresses<'a> {
        let addresses: [IpAddr; 2] = [[9, 9, 9, 9].into(), [127, 0, 0, 1].into()];
        Box::pin(async move { Ok(addresses.to_vec()) })
    }
}

#[tokio::test]
async fn a_public_name_that_leads_to_a_private_address_is_not_connected_to() {
    let tool = tool("", Arc::new(Rebinding));
    let outcome = call(tool, json!({"url": "https://public.example/"})).await;
    assert_eq!(outcome, Err("sandbox_violation".to_owned()));
}

#[tokio::test]
async fn a_host_that_does_not_answer_in_http_is_a_failure() {
    let server = Server::new(|_| b"SSH-2.0-OpenSSH_9.9\r\n".to_vec()).await;
    assert_eq!(server.fetch().await, Err("execution_failed".to_owned()));
}
