//! Wrong passwords: so many in a row lock an e-mail address for a while, whether or not there is an account
//! behind it, so that a lock does not reveal whether there is one.

use assent_ids::UnixMillis;
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::value::Email;
use assent_store::{StoreError, Tx};

use crate::{
    accounts::secrets::hash,
    http::Refusal,
    settings::Limits,
    storage::times::{millis, time},
};

const READ: &str = "SELECT failures, locked_until FROM login_failures WHERE email_hash = $1";
const WRITE: &str = "INSERT INTO login_failures (email_hash, failures, locked_until, updated_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (email_hash) DO UPDATE SET failures = excluded.failures,
    locked_until = excluded.locked_until, updated_at = excluded.updated_at";
const FORGET: &str = "DELETE FROM login_failures WHERE email_hash = $1";

/// What is stored of an address at login or registration.
#[derive(Clone, Debug)]
pub(crate) struct EmailHash(String);

impl EmailHash {
    pub(crate) fn of(email: &Email) -> Self {
        Self(hash(&email.key()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Failures in a row, and the lock that they led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    count: u32,
    locked_until: UnixMillis,
}

impl Failures {
    /// Refuses as long as the lock lasts.
    pub(crate) fn check(self, now: UnixMillis) -> Result<(), Refusal> {
        if now >= self.locked_until {
            return Ok(());
        }
        let wait = self.locked_until.since(now).as_millis().div_ceil(1000);
        let seconds = u64::try_from(wait).unwrap_or(u64::MAX);
        let text = format!("too many failed logins; try again in {seconds} s");
        Err(ApiError::new(ApiCode::AccountLocked, text).retry_after(seconds).into())
    }

    /// The same after one more failure.
    fn and_one_more(self, limits: &Limits, now: UnixMillis) -> Self {
        let count = self.count.saturating_add(1);
        if count < limits.failed_logins {
            return Self { count, locked_until: UnixMillis::default() };
        }
        // After the lock the count restarts.
        Self { count: 0, locked_until: now.after(limits.lock) }
    }
}

/// The failures of an address. To act on what it says, first [`lock`] it.
pub(crate) async fn read(tx: &mut Tx, email: &EmailHash) -> Result<Failures, StoreError> {
    let Some(row) = tx.optional(READ, &[email.as_str().into()]).await? else {
        return Ok(Failures::default());
    };
    Ok(Failures { count: row.get(0)?, locked_until: time(row.get(1)?) })
}

/// Makes others who log in with the same address wait for this transaction.
pub(crate) async fn lock(tx: &mut Tx, email: &EmailHash) -> Result<(), StoreError> {
    tx.lock(&format!("login_failures:{}", email.as_str())).await
}

/// Counts one more failure.
pub(crate) async fn add(
    tx: &mut Tx,
    email: &EmailHash,
    before: Failures,
    limits: &Limits,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let after = before.and_one_more(limits, now);
    let locked_until = millis(after.locked_until);
    let row = [email.as_str().into(), after.count.into(), locked_until.into(), millis(now).into()];
    tx.execute(WRITE, &row).await
}

/// Forgets the failures: the right password came.
pub(crate) async fn forget(tx: &mut Tx, email: &EmailHash) -> Result<(), StoreError> {
    tx.execute(FORGET, &[email.as_str().into()]).await
}

#[cfg(test)]
mod tests {
    use assent_ids::UnixMillis;
    use proptest::prelude::*;

    use super::Failures;
    use crate::settings::Limits;

    proptest! {
        #[test]
        fn no_more_guesses_than_the_limit_fit_between_two_locks(
            pauses in prop::collection::vec(0_u64..400_000, 1..200),
            allowed in 1_u32..7,
        ) {
            let limits = Limits { failed_logins: allowed, ..Limits::default() };
            let lock = u64::try_from(limits.lock.as_millis()).unwrap();
            let (mut failures, mut now) = (Failures::default(), 1_000_000);
            let (mut guesses, mut last) = (0, 0);
            for pause in pauses {
                now += pause;
                match failures.check(UnixMillis::new(now)) {
                    Ok(()) => {
                        if guesses == allowed {
                            prop_assert!(now - last >= lock);
                            guesses = 0;
                        }
                        failures = failures.and_one_more(&limits, UnixMillis::new(now));
                        (guesses, last) = (guesses + 1, now);
                    }
                    Err(refused) => {
                        prop_assert_eq!(guesses, allowed);
                        let wait = refused.error().params["retry_after"].as_u64().unwrap() * 1000;
                        prop_assert!(failures.check(UnixMillis::new(now + wait)).is_ok());
                    }
                }
            }
        }
    }
}
