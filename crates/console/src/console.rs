//! A console that listens.

use std::{
    fmt, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use assent_device::Device;
use assent_http::{App, Limits, Server, UnixSocket};
use assent_ids::{EntropyError, Minter, SystemClock, SystemEntropy};
use axum::Router;
use http::{
    HeaderName, HeaderValue,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
        X_FRAME_OPTIONS,
    },
};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::{Browsers, Commands},
    events::Events,
    routes,
    sessions::Sessions,
    state::ConsoleState,
};

/// How long requests that are being served may take when the console stops.
const STOP_WAIT: Duration = Duration::from_secs(5);

/// A browser loads and sends nothing but what the console serves, and no other page can frame or read it.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
             form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Where a console listens.
#[derive(Clone, Debug, Default)]
pub struct ConsoleOptions {
    /// The loopback address for browsers; port 0 takes a free one. `None` serves commands only.
    pub listen: Option<SocketAddr>,
    /// The path of the Unix socket for commands.
    pub control_socket: Option<PathBuf>,
}

/// Why a console does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address can be reached from other machines.
    #[error("`{0}` is not a loopback address: the console is for this machine only")]
    NotLoopback(SocketAddr),
    /// The address is taken or not one of this machine.
    #[error("cannot listen on `{address}`: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The Unix socket cannot be made.
    #[error("the control socket `{path}` cannot be made: {error}")]
    ControlSocket {
        /// Its path.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// There are no random bits to make tokens from.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// A console that listens.
pub struct Console {
    state: Arc<ConsoleState>,
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Console {
    /// Starts the console of `device`.
    ///
    /// # Errors
    /// If it cannot listen.
    pub async fn start(device: Device, options: ConsoleOptions) -> Result<Self, StartError> {
        let listener = match options.listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let socket = options.control_socket.as_deref().map(open_socket).transpose()?;
        let address = listener.as_ref().map(|(_, address)| *address);
        let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy::new()?));
        let state = Arc::new(ConsoleState {
            events: Events::start(device.clone(), &tasks, stopping.clone()),
            device,
            sessions: Sessions::default(),
            minter: Minter::new(Arc::clone(&clock) as _, Arc::clone(&entropy) as _),
            clock,
            entropy,
            url: address.map(|address| format!("http://{address}")),
        });
        let console = Self { state, tasks, stopping };
        if let Some((listener, address)) = listener {
            let app = Arc::new(Browsers::new(Arc::clone(&console.state), address));
            let server = console.server(app, routes::with_pages(&console.state));
            console.tasks.spawn(server.serve(listener));
        }
        if let Some(socket) = socket {
            let app = Arc::new(Commands(Arc::clone(&console.state)));
            let server = console.server(app, routes::of_commands(&console.state));
            console.tasks.spawn(server.serve(socket));
        }
        Ok(console)
    }

    fn server<A: App>(&self, app: Arc<A>, router: Router) -> Server<A> {
        let (tasks, stopping) = (self.tasks.clone(), self.stopping.clone());
        let server = Server::new(app, router, Limits::default(), tasks, stopping);
        HEADERS.into_iter().fold(server, |server, (name, value)| server.with_header(name, value))
    }

    /// The address for browsers; `None` if there are only commands.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.state.url.as_deref()
    }

    /// A link that opens the console in a browser, once; `None` if there are only commands.
    #[must_use]
    pub fn new_link(&self) -> Option<String> {
        self.state.new_link()
    }

    /// Stops listening, and waits for requests that are being served.
    pub async fn stop(self) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(STOP_WAIT, self.tasks.wait()).await.is_err() {
            tracing::warn!("some requests of the console did not end in time");
        }
    }
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("url", &self.state.url).finish_non_exhaustive()
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    if !address.ip().is_loopback() {
        return Err(StartError::NotLoopback(address));
    }
    let failed = |error| StartError::Listen { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

fn open_socket(path: &Path) -> Result<UnixSocket, StartError> {
    UnixSocket::open(path)
        .map_err(|error| StartError::ControlSocket { path: path.display().to_string(), error })
}
