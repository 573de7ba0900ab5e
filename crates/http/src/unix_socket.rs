//! A Unix socket for processes of the same user.

use std::{
    fs::{Permissions, remove_file, set_permissions},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use tokio::net::{UnixListener, UnixStream};

use crate::{Listener, Peer};

/// A Unix socket that accepts processes of the user that this process runs as, and of root. Its file is removed at the
/// end.
#[derive(Debug)]
pub struct UnixSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl UnixSocket {
    /// Opens a socket at `path`, and replaces what is there. The caller makes sure that no other process listens there,
    /// for example with a lock of the directory.
    ///
    /// # Errors
    ///
    /// If the file cannot be made.
    pub fn open(path: &Path) -> io::Result<Self> {
        match remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path).map_err(too_long)?;
        let socket = Self { listener, path: path.to_owned() };
        // A process that connects before this is still checked by its user id.
        set_permissions(path, Permissions::from_mode(0o600))?;
        Ok(socket)
    }
}

impl Listener for UnixSocket {
    type Stream = UnixStream;

    async fn accept(&mut self) -> io::Result<(UnixStream, Peer)> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            match stream.peer_cred() {
                Ok(peer) if is_allowed(peer.uid()) => {
                    return Ok((stream, Peer::Unix { uid: peer.uid(), pid: peer.pid() }));
                }
                _ => tracing::warn!("a process of another user was refused on a Unix socket"),
            }
        }
    }
}

impl Drop for UnixSocket {
    fn drop(&mut self) {
        // It may be gone already, and the next one replaces it.
        let _ = remove_file(&self.path);
    }
}

/// Says what to do about a path that does not fit into the address of a socket.
fn too_long(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => {
            let text = "the path is too long for a socket; choose a shorter data directory";
            io::Error::new(io::ErrorKind::InvalidInput, text)
        }
        _ => error,
    }
}

fn is_allowed(uid: u32) -> bool {
    uid == rustix::process::geteuid().as_raw() || uid == 0
}
