//! Locks for publications of manifests, which are checked and compared on blocking threads.

use assent_ids::{AgentId, GeneratedId as _};
use assent_protocol::a2h::ApiCode;
use tokio::sync::{Mutex, MutexGuard};

use crate::http::Refusal;

/// Number of locks, which is the maximum number of manifests compared at once.
const LOCKS: usize = 8;

/// A few locks, and always the same one for the same agent: a publication waits for the one before of the same
/// agent, instead of comparing with a manifest that is about to be replaced.
#[derive(Debug, Default)]
pub(crate) struct PublicationLocks([Mutex<()>; LOCKS]);

/// The lock for manifests of one agent.
pub(crate) struct PublicationLock<'a> {
    _held: Option<MutexGuard<'a, ()>>,
}

impl PublicationLocks {
    /// Waits for the lock of `agent`.
    pub(crate) async fn take(&self, agent: AgentId) -> PublicationLock<'_> {
        let letters = agent.ulid().to_string();
        let number = letters.bytes().fold(0_usize, |sum, byte| sum.wrapping_add(byte.into()));
        match self.0.get(number % LOCKS) {
            Some(lock) => PublicationLock { _held: Some(lock.lock().await) },
            None => PublicationLock { _held: None },
        }
    }
}

impl PublicationLock<'_> {
    /// Runs `compare` on a blocking thread.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        compare: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = tokio::task::spawn_blocking(compare).await;
        done.map_err(|_| {
            let text = "something went wrong on our side; it was recorded";
            Refusal::new(ApiCode::InternalError, text)
        })
    }
}
