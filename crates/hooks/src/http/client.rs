//! The client that all HTTP hooks share.

use assent_outbound::{Client, ClientError, ClientOptions, Roots};

/// Sends requests and keeps connections open: services are few and configured by the operator. Clones
/// share the connections.
#[derive(Clone)]
pub struct HttpClient(pub(super) Client);

impl HttpClient {
    /// Creates a client that trusts these authorities. Those of the system are read from disk.
    ///
    /// # Errors
    /// If there are none, or one cannot be used.
    pub fn new(roots: &Roots) -> Result<Self, ClientError> {
        let options = ClientOptions { roots: roots.clone(), ..ClientOptions::for_the_owner() };
        Client::new(options).map(Self)
    }
}
