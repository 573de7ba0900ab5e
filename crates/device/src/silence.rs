//! A silence: calls need no prompt, because the person allowed them for a while.

use assent_ids::{ConversationId, ManifestHash, UnixMillis};
use assent_json::Digest;
use serde::{Deserialize, Serialize};

use crate::{Timings, millis};

/// What a silence of a tool covers. With another conversation, manifest, scope or place it is another silence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct SilenceKey(String);

/// How long a silence has lasted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Silence {
    #[serde(with = "millis")]
    allowed_at: UnixMillis,
    #[serde(with = "millis")]
    used_at: UnixMillis,
}

impl SilenceKey {
    pub(crate) fn new(
        conversation: ConversationId,
        scope: &str,
        manifest_hash: &ManifestHash,
        place: Option<&str>,
    ) -> Self {
        // JSON keeps the parts apart, whatever characters are in them.
        let parts = serde_json::json!([conversation, scope, manifest_hash.to_string(), place]);
        Self(Digest::of(parts.to_string().as_bytes()).to_string())
    }
}

impl Silence {
    pub(crate) const fn begin(now: UnixMillis) -> Self {
        Self { allowed_at: now, used_at: now }
    }

    pub(crate) const fn renew(&mut self, now: UnixMillis) {
        self.used_at = now;
    }

    /// When it ends, if it is not used again.
    pub(crate) fn until(&self, timings: &Timings) -> UnixMillis {
        self.used_at.after(timings.silence).min(self.at_most(timings))
    }

    /// When it ends, however often it is used.
    pub(crate) fn at_most(&self, timings: &Timings) -> UnixMillis {
        self.allowed_at.after(timings.silence_max)
    }

    pub(crate) fn is_current(&self, timings: &Timings, now: UnixMillis) -> bool {
        // A clock that was set back must not make a silence longer.
        let is_past = self.allowed_at <= now && self.used_at <= now;
        is_past && now < self.until(timings)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> UnixMillis {
        UnixMillis::new(1_000_000_000_000).after(Duration::from_secs(seconds))
    }

    #[test]
    fn a_silence_lasts_from_its_last_use_up_to_its_limit() {
        let timings = Timings {
            silence: Duration::from_secs(10),
            silence_max: Duration::from_secs(25),
            ..Timings::default()
        };
        let mut silence = Silence::begin(at(100));
        let is_current = |silence: &Silence, now| silence.is_current(&timings, at(now));
        assert!(is_current(&silence, 109));
        assert!(!is_current(&silence, 110));
        silence.renew(at(109));
        assert!(is_current(&silence, 118));
        silence.renew(at(118));
        assert!(is_current(&silence, 124));
        assert!(!is_current(&silence, 125));
        // A clock that was set back ends it.
        assert!(!is_current(&silence, 117));
    }
}
