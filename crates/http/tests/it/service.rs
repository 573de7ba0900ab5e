//! A small service on a free port.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use assent_http::{
    AllowedHosts, AllowedOrigins, Answered, App, Connection, Limits, Peer, Refused, Server, Target,
    check_fetch_site,
};
use assent_ids::{Minter, SystemClock, SystemEntropy};
use axum::{Router, response::Response};
use http::{HeaderValue, header::CONTENT_SECURITY_POLICY, request::Parts};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The policy in every response.
pub(crate) const POLICY: &str = "default-src 'none'";

/// A service like a console: it answers for one host and counts what happens.
pub(crate) struct Console {
    minter: Minter,
    hosts: AllowedHosts,
    pub(crate) connections: AtomicUsize,
    pub(crate) refused: AtomicUsize,
    pub(crate) began: AtomicUsize,
    pub(crate) answered: AtomicUsize,
    pub(crate) abandoned: AtomicUsize,
    pub(crate) panicked: AtomicUsize,
}

/// The number of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) usize);

fn count(counter: &AtomicUsize) -> usize {
    counter.fetch_add(1, Ordering::SeqCst) + 1
}

impl App for Console {
    type Connection = Number;

    fn minter(&self) -> &Minter {
        &self.minter
    }

    async fn connect(&self, _: Peer) -> Number {
        Number(count(&self.connections))
    }

    fn check(&self, head: &mut Parts, _: &Connection<Number>) -> Result<(), Refused> {
        let target = if head.uri.path() == "/" { Target::Page } else { Target::Api };
        self.hosts.check(&head.headers)?;
        AllowedOrigins::default().check(&head.headers)?;
        check_fetch_site(&head.headers, target)
    }

    fn began(&self) {
        count(&self.began);
    }

    fn answered(&self, _: &Answered<'_>, _: &mut Response) {
        count(&self.answered);
    }

    fn abandoned(&self) {
        count(&self.abandoned);
    }

    fn panicked(&self) {
        count(&self.panicked);
    }

    fn refused(&self, _: Peer) {
        count(&self.refused);
    }
}

/// A console that listens.
pub(crate) struct Service {
    pub(crate) console: Arc<Console>,
    pub(crate) address: SocketAddr,
    pub(crate) stopping: CancellationToken,
    tasks: TaskTracker,
}

impl Service {
    /// Serves what `routes` makes of a router and the token that is cancelled at the end.
    pub(crate) async fn start(
        limits: Limits,
        routes: impl FnOnce(Router, CancellationToken) -> Router,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
        let console = Console::new(AllowedHosts::new([address.to_string()]));
        let router = routes(Router::new(), stopping.clone());
        let server =
            Server::new(Arc::clone(&console), router, limits, tasks.clone(), stopping.clone())
                .with_header(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        tasks.spawn(server.serve(listener));
        Self { console, address, stopping, tasks }
    }

    /// Ends it, which takes no longer than what is being served.
    pub(crate) async fn stop(self) {
        self.stopping.cancel();
        self.tasks.close();
        tokio::time::timeout(Duration::from_secs(10), self.tasks.wait()).await.expect("an end");
    }
}

impl Console {
    pub(crate) fn new(hosts: AllowedHosts) -> Arc<Self> {
        Arc::new(Self {
            minter: Minter::new(Arc::new(SystemClock), Arc::new(SystemEntropy::new().unwrap())),
            hosts,
            connections: AtomicUsize::default(),
            refused: AtomicUsize::default(),
            began: AtomicUsize::default(),
            answered: AtomicUsize::default(),
            abandoned: AtomicUsize::default(),
            panicked: AtomicUsize::default(),
        })
    }
}
