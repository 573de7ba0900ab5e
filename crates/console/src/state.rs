//! What the routes share.

use std::sync::Arc;

use assent_device::Device;
use assent_ids::{Clock, Entropy, Minter};

use crate::{events::Events, sessions::Sessions};

/// What the routes share.
pub(crate) struct ConsoleState {
    pub(crate) device: Device,
    pub(crate) sessions: Sessions,
    pub(crate) events: Events,
    pub(crate) minter: Minter,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The address of the console for a browser; `None` if there is only the Unix socket.
    pub(crate) url: Option<String>,
}

impl ConsoleState {
    /// A link that opens the console in a browser, once; `None` without a console for browsers. The token stands behind
    /// `#`, so that it is sent to no server.
    pub(crate) fn new_link(&self) -> Option<String> {
        let url = self.url.as_ref()?;
        Some(format!("{url}/#token={}", self.sessions.new_link(&*self.entropy)))
    }
}

/// How routes get the state.
pub(crate) type Shared = axum::extract::State<Arc<ConsoleState>>;
