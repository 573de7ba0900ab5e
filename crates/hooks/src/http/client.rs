//! The client that all HTTP hooks share.

use assent_outbound::{Client, ClientError, ClientOptions, Roots};

/// Sends requests and keeps connections: services are few, and their owner wrote them down. Cloning it is
/// cheap and shares the connections.
#[derive(Clone)]
pub struct HttpClient(pub(super) Client);

impl HttpClient {
    /// A client that trusts these authorities. Those of the system are read from disk.
    ///
    /// # Errors
    /// If there are none, or one cannot be used.
    pub fn new(roots: &Roots) -> Result<Self, ClientError> {
        let options = ClientOptions { roots: roots.clone(), ..ClientOptions::for_the_owner() };
        Client::new(options).map(Self)
    }
}
