//! The admin socket: HTTP over a Unix socket in the data directory.
//!
//! Operators are the processes that may open it: those of the user that the server runs as, and of root.

use std::{
    fs::{Permissions, remove_file, set_permissions},
    io,
    net::{IpAddr, Ipv4Addr},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::net::{UnixListener, UnixStream};

use crate::{
    connection_permit::ConnectionPermits,
    http::{Peer, admin_router, serve_connection},
    relay::Relay,
    server::StartError,
};

/// Maximum number of simultaneous connections of operators.
const MAX_OPERATORS: usize = 64;

/// A socket that listens. Its file is removed at the end.
#[derive(Debug)]
pub(crate) struct AdminSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl AdminSocket {
    /// Opens the socket at `path`. The caller has claimed the directory: whatever lies there was left
    /// behind by a server that is gone.
    pub(crate) fn open(path: &Path) -> Result<Self, StartError> {
        let failed = |error| StartError::AdminSocket { path: path.display().to_string(), error };
        match remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let listener = UnixListener::bind(path).map_err(too_long).map_err(failed)?;
        let socket = Self { listener, path: path.to_owned() };
        // A process that connects before this is still checked by its user id.
        set_permissions(path, Permissions::from_mode(0o600)).map_err(failed)?;
        Ok(socket)
    }

    /// Serves operators until the relay stops.
    pub(crate) async fn serve(self, relay: Arc<Relay>) {
        let router = admin_router(Arc::clone(&relay));
        let permits = ConnectionPermits::new(MAX_OPERATORS, &relay.metrics.connections);
        loop {
            let accepted = tokio::select! {
                () = relay.stopping.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) if is_operator(&stream) => {
                    let Some(permit) = permits.take() else { continue };
                    let here = Peer(IpAddr::V4(Ipv4Addr::LOCALHOST));
                    let (relay, router) = (Arc::clone(&relay), router.clone());
                    let tasks = relay.tasks.clone();
                    tasks.spawn(serve_connection(relay, router, stream, here, permit));
                }
                Ok(_) => {
                    tracing::warn!("a process of another user was refused on the admin socket")
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection to the admin socket was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        // It may be gone already, and the next server replaces it.
        let _ = remove_file(&self.path);
    }
}

/// Says what to do about the one mistake that an operator can make here.
fn too_long(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => {
            let text = "the path is too long for a socket; choose a shorter data directory";
            io::Error::new(io::ErrorKind::InvalidInput, text)
        }
        _ => error,
    }
}

fn is_operator(stream: &UnixStream) -> bool {
    let ours = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == ours || peer.uid() == 0)
}
