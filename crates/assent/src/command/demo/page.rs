//! A page on this machine that the agent of the demo fetches.

use std::{io, sync::Arc};

use assent_http::{App, Limits, Peer, Server};
use assent_ids::{Minter, SystemClock, SystemEntropy};
use axum::{Router, response::Html, routing::get};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

const PAGE: &str = "<!doctype html>
<html lang=\"en\">
<title>Trains to Oslo</title>
<h1>Trains to Oslo</h1>
<p>The night train leaves at 22:58 and arrives at 07:15.</p>
</html>
";

/// A server of one page. It stops when it is dropped.
pub(super) struct PageServer {
    origin: String,
    stopping: CancellationToken,
}

struct Pages(Minter);

impl App for Pages {
    type Connection = ();

    fn minter(&self) -> &Minter {
        &self.0
    }

    async fn connect(&self, _: Peer) {}
}

impl PageServer {
    pub(super) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let entropy = SystemEntropy::new().map_err(io::Error::other)?;
        let pages = Pages(Minter::new(Arc::new(SystemClock), Arc::new(entropy)));
        let router = Router::new().route("/trains.html", get(async || Html(PAGE)));
        let stopping = CancellationToken::new();
        let (limits, tasks) = (Limits::default(), TaskTracker::new());
        let server = Server::new(Arc::new(pages), router, limits, tasks, stopping.clone());
        tokio::spawn(server.serve(listener));
        Ok(Self { origin, stopping })
    }

    /// The origin, which `fetch_url` is allowed to reach although it is on this machine.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) fn url(&self) -> String {
        format!("{}/trains.html", self.origin)
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.stopping.cancel();
    }
}
