//! Servers for tests.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server on this machine that takes requests one per connection.
pub struct Server {
    pub port: u16,
    /// The requests as they came.
    pub requests: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// A server that does as it likes once it has a request.
    pub async fn new<F, R>(behave: F) -> Self
    where
        F: Fn(TcpStream) -> R + Send + Sync + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self { port, requests: Arc::default(), connections: Arc::default() };
        let (requests, connections) =
            (Arc::clone(&server.requests), Arc::clone(&server.connections));
        let behave = Arc::new(behave);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (requests, behave) = (Arc::clone(&requests), Arc::clone(&behave));
                tokio::spawn(async move {
                    let request = read_request(&mut stream).await;
                    requests.lock().unwrap().push(request);
                    behave(stream).await;
                });
            }
        });
        server
    }

    /// A server that answers with these bytes, whatever they mean, and hangs up.
    pub async fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = Arc::new(bytes.into());
        Self::new(move |mut stream| {
            let bytes = Arc::clone(&bytes);
            async move {
                let _written = stream.write_all(&bytes).await;
                let _closed = stream.shutdown().await;
            }
        })
        .await
    }

    /// A server that answers like this for as long as the connection lives.
    pub async fn patient(answer: &'static str) -> Self {
        Self::new(move |mut stream| async move {
            while stream.write_all(answer.as_bytes()).await.is_ok() {
                if read_request(&mut stream).await.is_empty() {
                    return;
                }
            }
        })
        .await
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Reads one request, or what there is of it.
pub async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        match stream.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => return text,
            Ok(_) => {}
        }
    }
}
