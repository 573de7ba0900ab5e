//! Passwords: Argon2id, a few at a time, away from the threads that serve.

use std::sync::Arc;

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use assent_ids::Entropy;
use assent_protocol::a2h::ApiCode;
use tokio::sync::{OnceCell, Semaphore};
use zeroize::Zeroizing;

use crate::refusal::Refusal;

/// 19 MiB, two passes: what OWASP advises for Argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Hashes at once: each takes its memory and a core for some 30 ms.
const AT_ONCE: usize = 2;

/// Makes and checks hashes of passwords.
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    entropy: Arc<dyn Entropy>,
    /// Checked against when there is no such account, so that the answer takes as long.
    decoy: OnceCell<String>,
}

impl Passwords {
    pub(crate) fn new(entropy: Arc<dyn Entropy>) -> Self {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Self { turns, entropy, decoy: OnceCell::new() }
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
        let hash = match hash {
            Some(hash) => hash,
            None => self.decoy().await?,
        };
        let same = self.in_turn(move || {
            let hash = PasswordHash::new(&hash).ok()?;
            Some(hasher().ok()?.verify_password(password.as_bytes(), &hash).is_ok())
        });
        Ok(same.await?.unwrap_or(false) && known)
    }

    async fn decoy(&self) -> Result<String, Refusal> {
        let nobodys = || Zeroizing::new("the password of nobody".to_owned());
        self.decoy.get_or_try_init(|| self.hash(nobodys())).await.cloned()
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
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

    use super::Passwords;

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
        assert!(!passwords.verify(secret("the password of nobody"), None).await.unwrap());
        assert!(!passwords.verify(secret("x"), Some("garbage".to_owned())).await.unwrap());
    }
}
