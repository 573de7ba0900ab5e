//! How connections begin and end.

use std::{
    os::unix::fs::PermissionsExt as _,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use assent_http::{AllowedHosts, Connection, Limits, Peer, Server, UnixSocket};
use axum::{Extension, Router, routing::get};
use tokio::{
    net::{TcpStream, UnixStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    client::{read, read_until, send},
    service::{Console, Number, Service},
};

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_more_than_allowed_is_closed_at_once() {
    let mut limits = Limits::default();
    limits.connections = 2;
    let service =
        Service::start(limits, |router, _| router.route("/", get(|| async { "served" }))).await;
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        send(&mut stream, "GET /", &[&service.host()]).await;
        read_until(&mut stream, "served").await;
        open.push(stream);
    }
    let mut third = TcpStream::connect(service.address).await.unwrap();
    assert_eq!(read(&mut third).await.head, "");
    assert_eq!(service.console.refused.load(Ordering::SeqCst), 1);
    drop(open.pop());
    while service.call("GET /", &[]).await.status != 200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_counts_as_long_as_a_handler_keeps_it() {
    let mut limits = Limits::default();
    limits.connections = 1;
    let kept = Arc::new(tokio::sync::Mutex::new(None));
    let keeping = Arc::clone(&kept);
    let service = Service::start(limits, |router, _| {
        let keep = |Extension(connection): Extension<Connection<Number>>| async move {
            *keeping.lock().await = Some(connection);
            "kept"
        };
        router.route("/", get(keep))
    })
    .await;
    assert_eq!(service.call("GET /", &[]).await.body, "kept");
    assert_eq!(service.call("GET /", &[]).await.status, 0, "its client has gone, but it is kept");
    kept.lock().await.take();
    while service.call("GET /", &[]).await.status != 200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_no_head_is_disconnected() {
    let mut limits = Limits::default();
    limits.head = Duration::from_millis(50);
    let service = Service::start(limits, |router, _| router).await;
    for beginning in ["", "GET / HT"] {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut stream, beginning.as_bytes()).await.unwrap();
        read(&mut stream).await;
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_being_served_is_answered_before_the_end() {
    let gate = Arc::new(Semaphore::new(0));
    let waiting = Arc::clone(&gate);
    let service = Service::start(Limits::default(), |router, _| {
        let wait = || async move {
            let _open = waiting.acquire().await;
            "at last"
        };
        router.route("/", get(wait))
    })
    .await;
    let mut busy = TcpStream::connect(service.address).await.unwrap();
    send(&mut busy, "GET /", &[&service.host()]).await;
    let mut idle = TcpStream::connect(service.address).await.unwrap();
    send(&mut idle, "GET /nowhere", &[&service.host()]).await;
    read_until(&mut idle, "404").await;
    while service.console.began.load(Ordering::SeqCst) < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    service.stopping.cancel();
    read(&mut idle).await;
    // Nothing is accepted any more.
    while TcpStream::connect(service.address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    gate.add_permits(1);
    assert_eq!(read(&mut busy).await.body, "at last");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unix_socket_is_private_and_tells_the_user_of_its_clients() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    // What a process that was killed leaves behind.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let socket = UnixSocket::open(&path).unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let about = |Extension(connection): Extension<Connection<Number>>| async move {
        match connection.peer() {
            Peer::Unix { uid, pid } => format!("user {uid} process {}", pid.unwrap_or(0)),
            Peer::Tcp(_) => "the network".to_owned(),
        }
    };
    let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
    let console = Console::new(AllowedHosts::new(["local"]));
    let router = Router::new().route("/", get(about));
    let server = Server::new(console, router, Limits::default(), tasks.clone(), stopping.clone());
    tasks.spawn(server.serve(socket));
    let mut stream = UnixStream::connect(&path).await.unwrap();
    send(&mut stream, "GET /", &["host: local", "connection: close"]).await;
    let uid = rustix::process::geteuid().as_raw();
    assert_eq!(read(&mut stream).await.body, format!("user {uid} process {}", std::process::id()));
    stopping.cancel();
    tasks.close();
    tasks.wait().await;
    assert!(!path.exists());
}
