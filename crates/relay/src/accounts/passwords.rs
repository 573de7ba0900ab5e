//! Hashes of passwords, a few at a time and off the threads that serve requests.

mod argon2id;

use std::{sync::Arc, time::Duration};

use assent_ids::Entropy;
use assent_protocol::a2h::ApiCode;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::http::{Refusal, rate_limits::limited};

/// Hashes computed at the same time. Each takes its memory and a core for about 30 ms.
const MAX_CONCURRENT: usize = 2;

/// Hashes that may wait for a turn. More would wait longer than clients do.
const MAX_WAITING: usize = 256;

/// Verified when there is no such account, so that the response takes as long.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA\
    $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Computes and verifies hashes of passwords.
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    queue: Semaphore,
    entropy: Arc<dyn Entropy>,
}

impl Passwords {
    pub(crate) fn new(entropy: Arc<dyn Entropy>) -> Self {
        let turns = Arc::new(Semaphore::new(MAX_CONCURRENT));
        Self { turns, queue: Semaphore::new(MAX_WAITING), entropy }
    }

    /// Returns the hash of `password` with its parameters and a new salt.
    pub(crate) async fn hash(&self, password: Zeroizing<String>) -> Result<String, Refusal> {
        let mut salt = [0_u8; 16];
        self.entropy.fill(&mut salt);
        let hash = self.in_turn(move || argon2id::hash(password.as_bytes(), &salt)).await?;
        hash.ok_or_else(failed)
    }

    /// Returns `true` if `hash` is a hash of `password`. Without a hash it takes as long and returns `false`.
    pub(crate) async fn verify(
        &self,
        password: Zeroizing<String>,
        hash: Option<String>,
    ) -> Result<bool, Refusal> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| DECOY.to_owned());
        let same = self.in_turn(move || argon2id::verify(password.as_bytes(), &hash)).await?;
        Ok(same.unwrap_or(false) && known)
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let Ok(_queued) = self.queue.try_acquire() else {
            return Err(limited(Duration::from_secs(5)));
        };
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| failed())?;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.map_err(|_| failed())
    }
}

fn failed() -> Refusal {
    Refusal::new(ApiCode::InternalError, "the password could not be hashed")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assent_ids::SystemEntropy;
    use zeroize::Zeroizing;

    use super::{DECOY, MAX_WAITING, Passwords};

    #[tokio::test]
    async fn a_password_is_verified_by_its_hash_and_without_a_hash_none_is() {
        let passwords = Passwords::new(Arc::new(SystemEntropy::new().unwrap()));
        let secret = |text: &str| Zeroizing::new(text.to_owned());
        let hash = passwords.hash(secret("correct horse")).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let again = passwords.hash(secret("correct horse")).await.unwrap();
        assert_ne!(hash, again, "each has its own salt");
        assert!(passwords.verify(secret("correct horse"), Some(hash.clone())).await.unwrap());
        assert!(!passwords.verify(secret("wrong horse"), Some(hash)).await.unwrap());
        assert!(!passwords.verify(secret("anything"), None).await.unwrap());
        assert!(!passwords.verify(secret("x"), Some("garbage".to_owned())).await.unwrap());
    }

    #[tokio::test]
    async fn the_decoy_costs_what_a_hash_costs() {
        let passwords = Passwords::new(Arc::new(SystemEntropy::new().unwrap()));
        let real = passwords.hash(Zeroizing::new("x".to_owned())).await.unwrap();
        let parameters = |hash: &str| hash.split('$').take(4).collect::<String>();
        assert_eq!(parameters(DECOY), parameters(&real));
        assert_eq!(DECOY.len(), real.len());
        assert!(argon2::password_hash::phc::PasswordHash::new(DECOY).is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_request_beyond_the_queue_limit_is_refused() {
        let passwords = Arc::new(Passwords::new(Arc::new(SystemEntropy::new().unwrap())));
        let (blocker, waits) = std::sync::mpsc::channel::<()>();
        let waits = Arc::new(std::sync::Mutex::new(waits));
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..MAX_WAITING {
            let (passwords, waits) = (Arc::clone(&passwords), Arc::clone(&waits));
            waiting.spawn(async move {
                // Ends when the sender is dropped.
                passwords.in_turn(move || drop(waits.lock().map(|waits| waits.recv()))).await
            });
        }
        while passwords.queue.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let one_more = passwords.in_turn(|| ()).await.unwrap_err();
        assert_eq!(one_more.code(), assent_protocol::a2h::ApiCode::RateLimited);
        assert_eq!(one_more.error().params["retry_after"], 5);
        drop(blocker);
        assert!(waiting.join_all().await.iter().all(Result::is_ok));
        assert!(passwords.in_turn(|| ()).await.is_ok());
    }
}
