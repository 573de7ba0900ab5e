//! Who may use the console: one-time links and the sessions that they begin.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{Entropy, UnixMillis};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

/// The most links that are valid at once. One more ends the oldest.
const MAX_LINKS: usize = 16;

/// The most sessions at once. One more ends the oldest.
const MAX_SESSIONS: usize = 64;

/// After this many wrong tokens within [`WINDOW`], further wrong ones have to wait.
const MAX_WRONG: usize = 10;

const WINDOW: Duration = Duration::from_mins(1);

/// The links and sessions of a console. They end with the process.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Tokens>);

/// Only digests of tokens are kept, so that comparing them tells nothing about a token.
#[derive(Default)]
struct Tokens {
    links: VecDeque<[u8; 32]>,
    sessions: VecDeque<[u8; 32]>,
    wrong: VecDeque<UnixMillis>,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenError {
    /// It is not valid.
    Wrong,
    /// It is not valid, and there were many such tokens; try again after this many seconds.
    TooMany(u64),
}

impl Sessions {
    /// Makes the token of a link, which works once.
    pub(crate) fn new_link(&self, entropy: &dyn Entropy) -> String {
        let token = new_token(entropy);
        push(&mut self.lock().links, digest(&token), MAX_LINKS);
        token
    }

    /// Begins a session for the token of a link.
    pub(crate) fn begin(
        &self,
        link: &str,
        entropy: &dyn Entropy,
        now: UnixMillis,
    ) -> Result<String, TokenError> {
        let mut tokens = self.lock();
        let link = digest(link);
        let Some(found) = tokens.links.iter().position(|known| *known == link) else {
            return Err(tokens.count_wrong(now));
        };
        tokens.links.remove(found);
        let session = new_token(entropy);
        push(&mut tokens.sessions, digest(&session), MAX_SESSIONS);
        Ok(session)
    }

    /// Accepts the token of a session.
    pub(crate) fn check(&self, session: &str, now: UnixMillis) -> Result<(), TokenError> {
        let mut tokens = self.lock();
        if tokens.sessions.contains(&digest(session)) {
            return Ok(());
        }
        Err(tokens.count_wrong(now))
    }

    fn lock(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tokens {
    fn count_wrong(&mut self, now: UnixMillis) -> TokenError {
        self.wrong.retain(|at| *at <= now && now.since(*at) < WINDOW);
        match self.wrong.front() {
            Some(oldest) if self.wrong.len() >= MAX_WRONG => {
                let left = WINDOW.saturating_sub(now.since(*oldest));
                TokenError::TooMany(left.as_secs().saturating_add(1))
            }
            _ => {
                self.wrong.push_back(now);
                TokenError::Wrong
            }
        }
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

fn push(tokens: &mut VecDeque<[u8; 32]>, token: [u8; 32], limit: usize) {
    if tokens.len() >= limit {
        tokens.pop_front();
    }
    tokens.push_back(token);
}

fn new_token(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    BASE64URL_NOPAD.encode(&bytes)
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use assent_ids::{SystemEntropy, UnixMillis};

    use super::{MAX_LINKS, Sessions, TokenError};

    const NOW: UnixMillis = UnixMillis::new(1_000_000);

    #[test]
    fn a_link_begins_one_session() {
        let (sessions, entropy) = (Sessions::default(), SystemEntropy::new().unwrap());
        let link = sessions.new_link(&entropy);
        let session = sessions.begin(&link, &entropy, NOW).unwrap();
        assert_eq!(sessions.begin(&link, &entropy, NOW), Err(TokenError::Wrong));
        assert_eq!(sessions.check(&session, NOW), Ok(()));
        assert_eq!(sessions.check(&link, NOW), Err(TokenError::Wrong));
    }

    #[test]
    fn only_the_newest_links_are_valid() {
        let (sessions, entropy) = (Sessions::default(), SystemEntropy::new().unwrap());
        let links: Vec<String> = (0..=MAX_LINKS).map(|_| sessions.new_link(&entropy)).collect();
        assert_eq!(sessions.begin(&links[0], &entropy, NOW), Err(TokenError::Wrong));
        assert!(sessions.begin(&links[1], &entropy, NOW).is_ok());
    }

    #[test]
    fn the_eleventh_wrong_token_within_a_minute_is_asked_to_wait_and_a_right_one_is_not() {
        let (sessions, entropy) = (Sessions::default(), SystemEntropy::new().unwrap());
        let link = sessions.new_link(&entropy);
        let session = sessions.begin(&link, &entropy, NOW).unwrap();
        for _ in 0..10 {
            assert_eq!(sessions.check("wrong", NOW), Err(TokenError::Wrong));
        }
        assert_eq!(sessions.check("wrong", NOW), Err(TokenError::TooMany(61)));
        assert_eq!(sessions.check(&session, NOW), Ok(()));
        let later = UnixMillis::new(NOW.get() + 60_000);
        assert_eq!(sessions.check("wrong", later), Err(TokenError::Wrong));
    }
}
