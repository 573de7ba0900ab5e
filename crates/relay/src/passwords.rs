//! Passwords: Argon2id, a few at a time, away from the threads that serve.

use std::{sync::Arc, time::Duration};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use assent_ids::Entropy;
use assent_protocol::a2h::ApiCode;
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

use crate::{rate::limited, refusal::Refusal};

/// 19 MiB, two passes: what OWASP advises for Argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Hashes at once: each takes its memory and a core for some 30 ms.
const AT_ONCE: usize = 2;

/// Who may wait for a turn. Beyond that, waiting would take longer than anybody has patience for.
const WAITING: usize = 256;

/// Checked against when there is no such account, so that the answer takes as long.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA\
    $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Makes and checks hashes of passwords.
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    room: Semaphore,
    entropy: Arc<dyn Entropy>,
}

impl Passwords {
    pub(crate) fn new(entropy: Arc<dyn Entropy>) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Self { turns, room: Semaphore::new(WAITING), entropy }
    }

    /// The hash of `password`, with its parameters and salt.
    pub(crate) async fn hash(&self, password: Zeroizing<String>) -> Result<String, Refusal> {
        let mut salt = [0_u8; 16];
        self.entropy.fill(&mut salt);
        self.in_turn(move || {
            let hash = hasher().ok()?.hash_password_with_salt(password.as_bytes(), &salt).ok()?;
            Some(hash.to_string())
        })
        .await?
        .ok_or_else(failed)
    }

    /// Whether `password` is the one of `hash`; without a hash it takes as long and is not.
    pub(crate) async fn verify(
        &self,
        password: Zeroizing<String>,
        hash: Option<String>,
    ) -> Result<bool, Refusal> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| DECOY.to_owned());
        let same = self.in_turn(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            Some(hasher().ok()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(same.await?.unwrap_or(false) && known)
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let Ok(_waiting) = self.room.try_acquire() else {
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

fn hasher() -> Result<Argon2<'static>, argon2::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed() -> Refusal {
    Refusal::new(ApiCode::InternalError, "the password could not be hashed")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assent_ids::SystemEntropy;
    use zeroize::Zeroizing;

    use super::{DECOY, Passwords, WAITING};

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_and_nobodys_password_is_nobodys() {
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
    async fn so_many_wait_for_their_turn_and_one_more_is_told_to_come_back() {
        let passwords = Arc::new(Passwords::new(Arc::new(SystemEntropy::new().unwrap())));
        let (word, waits) = std::sync::mpsc::channel::<()>();
        let waits = Arc::new(std::sync::Mutex::new(waits));
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..WAITING {
            let (passwords, waits) = (Arc::clone(&passwords), Arc::clone(&waits));
            waiting.spawn(async move {
                // Ends when there is nobody any more who could say a word.
                passwords.in_turn(move || drop(waits.lock().map(|waits| waits.recv()))).await
            });
        }
        while passwords.room.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let one_more = passwords.in_turn(|| ()).await.unwrap_err();
        assert_eq!(one_more.code(), assent_protocol::a2h::ApiCode::RateLimited);
        assert_eq!(one_more.error().params["retry_after"], 5);
        drop(word);
        assert!(waiting.join_all().await.iter().all(Result::is_ok));
        assert!(passwords.in_turn(|| ()).await.is_ok());
    }
}
