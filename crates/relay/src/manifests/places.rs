//! Where manifests are judged: away from the threads that serve, a few at a time.

use assent_ids::{AgentId, GeneratedId as _};
use assent_protocol::a2h::ApiCode;
use tokio::sync::{Mutex, MutexGuard};

use crate::http::Refusal;

/// Manifests that are judged at once.
const PLACES: usize = 8;

/// A few locks, and always the same one for the same agent: a publication waits for the one before of the same
/// agent, instead of comparing with a manifest that is about to be replaced.
#[derive(Debug, Default)]
pub(crate) struct Places([Mutex<()>; PLACES]);

/// The right to judge manifests of an agent.
pub(crate) struct Place<'a> {
    _held: Option<MutexGuard<'a, ()>>,
}

impl Places {
    /// Waits for the place of `agent`.
    pub(crate) async fn take(&self, agent: AgentId) -> Place<'_> {
        let letters = agent.ulid().to_string();
        let number = letters.bytes().fold(0_usize, |sum, byte| sum.wrapping_add(byte.into()));
        match self.0.get(number % PLACES) {
            Some(place) => Place { _held: Some(place.lock().await) },
            None => Place { _held: None },
        }
    }
}

impl Place<'_> {
    /// Judges on a thread that may take its time.
    pub(crate) async fn judge<T: Send + 'static>(
        &self,
        judge: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let judged = tokio::task::spawn_blocking(judge).await;
        judged.map_err(|_| {
            let text = "something went wrong on our side; it was recorded";
            Refusal::new(ApiCode::InternalError, text)
        })
    }
}
