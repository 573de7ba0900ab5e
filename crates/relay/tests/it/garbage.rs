//! Whatever bytes come over a connection, the relay answers or hangs up: no 5xx, no panic, no end.

mod bytes;

use std::{env, time::Duration};

use http::Method;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use self::bytes::Chance;
use crate::world::{Client, World};

/// Number of connections, for more than the quick default.
const CONNECTIONS: &str = "ASSENT_TEST_CONNECTIONS";

/// Connections at once.
const AT_ONCE: usize = 32;

#[tokio::test(flavor = "multi_thread")]
async fn no_bytes_make_the_relay_fail() {
    let world = World::start(false, |settings| {
        // Who says that a body comes and does not send it is not waited for.
        settings.limits.body = Duration::from_millis(500);
    })
    .await;
    let token = world.person("ada").await.token;
    let wanted = env::var(CONNECTIONS).ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let workers: Vec<_> = (0_u64..)
        .take(AT_ONCE)
        .map(|worker| {
            let (client, token) = (world.client(), token.clone());
            tokio::spawn(async move {
                for number in (worker..wanted).step_by(AT_ONCE) {
                    let sent = Chance::new(number).request(&token);
                    check(client, number, &sent).await;
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    let metrics = world.call(Method::GET, "/metrics", None, None).await.text;
    assert!(metrics.contains("\nassent_panics_total 0\n"), "{metrics}");
    let failed = |line: &&str| line.starts_with("assent_requests_total") && line.contains("\"5");
    assert_eq!(metrics.lines().find(failed), None);
    let served = metrics.lines().filter(|line| line.starts_with("assent_requests_total"));
    assert!(served.count() > 50, "requests of many kinds get through:\n{metrics}");
    assert_eq!(world.call(Method::GET, "/health", None, None).await.data()["status"], "ok");
    world.stop().await;
}

async fn check(client: Client, number: u64, sent: &[u8]) {
    let mut stream = TcpStream::connect(client.address()).await.unwrap();
    let mut answer = Vec::new();
    let exchange = async {
        let (mut read, mut write) = stream.split();
        // The relay may hang up at any moment.
        let send = async {
            let _ = write.write_all(sent).await;
            let _ = write.shutdown().await;
        };
        tokio::join!(send, async {
            let _ = read.read_to_end(&mut answer).await;
        });
    };
    let ended = timeout(Duration::from_secs(20), exchange).await;
    let shown = || String::from_utf8_lossy(&sent[..sent.len().min(2000)]).into_owned();
    assert!(ended.is_ok(), "connection {number} does not end after\n{}", shown());
    let text = String::from_utf8_lossy(&answer);
    let failed = text.contains("HTTP/1.1 5") || text.contains("HTTP/1.0 5");
    assert!(!failed, "connection {number}: {text}\nafter\n{}", shown());
}
