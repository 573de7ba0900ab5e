//! What a presented refresh token leads to.
//!
//! Each token is good once and is exchanged for its successor. If it comes again, two parties have it, and
//! the login ends for both. An operator can make one exception, because answers get lost: a client that repeats the
//! exchange within a time of grace, while the successor has not been used, gets the very same successor again. Then
//! an honest client may repeat what it did not hear an answer to, also twice at once from two windows; and
//! still a token never has two successors, so a use of the second last token reveals the theft.

use std::time::Duration;

use assent_ids::UnixMillis;

/// How long a refresh token is good.
pub(crate) const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The lifetime, as the tables count.
pub(crate) fn lifetime_millis() -> i64 {
    i64::try_from(LIFETIME.as_millis()).unwrap_or(i64::MAX)
}

/// What is known of a presented token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Presented {
    /// Whether its login has ended.
    pub(crate) ended: bool,
    pub(crate) issued_at: UnixMillis,
    pub(crate) used_at: Option<UnixMillis>,
    /// Whether it was exchanged for a token that is unused.
    pub(crate) successor_is_unused: bool,
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is exchanged for a new one.
    Exchange,
    /// The answer to the exchange got lost: the same one again.
    Repeat,
    /// Two parties have it: the login ends.
    Reused,
    /// It is too old.
    Expired,
    /// The login has ended.
    Ended,
}

impl Presented {
    /// What becomes of the token, if an exchange may be repeated for as long as `grace`.
    pub(crate) fn judge(self, now: UnixMillis, grace: Duration) -> Verdict {
        if self.ended {
            return Verdict::Ended;
        }
        if now.since(self.issued_at) >= LIFETIME {
            return Verdict::Expired;
        }
        match self.used_at {
            None => Verdict::Exchange,
            Some(used_at) if self.successor_is_unused && now.since(used_at) < grace => {
                Verdict::Repeat
            }
            Some(_) => Verdict::Reused,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_ids::UnixMillis;
    use proptest::prelude::*;

    use super::{LIFETIME, Presented, Verdict};

    const GRACE: Duration = Duration::from_secs(30);

    const START: UnixMillis = UnixMillis::new(1_000_000);

    /// The tokens of one login, by their numbers: each is the successor of the one before.
    struct Login {
        issued_at: Vec<UnixMillis>,
        used_at: Vec<Option<UnixMillis>>,
        ended: bool,
        now: UnixMillis,
        grace: Duration,
    }

    impl Login {
        fn new(grace: Duration) -> Self {
            Self { issued_at: vec![START], used_at: vec![None], ended: false, now: START, grace }
        }

        fn present(&mut self, token: usize) -> (Verdict, Option<usize>) {
            let presented = Presented {
                ended: self.ended,
                issued_at: self.issued_at[token],
                used_at: self.used_at[token],
                successor_is_unused: self.used_at.get(token + 1) == Some(&None),
            };
            let verdict = presented.judge(self.now, self.grace);
            match verdict {
                Verdict::Exchange => {
                    self.used_at[token] = Some(self.now);
                    self.issued_at.push(self.now);
                    self.used_at.push(None);
                }
                Verdict::Reused => self.ended = true,
                Verdict::Repeat | Verdict::Expired | Verdict::Ended => {}
            }
            let next = matches!(verdict, Verdict::Exchange | Verdict::Repeat).then_some(token + 1);
            (verdict, next)
        }

        fn pass(&mut self, time: Duration) {
            self.now = self.now.after(time);
        }
    }

    proptest! {
        #[test]
        fn a_client_that_repeats_in_time_is_never_thrown_out(
            rounds in prop::collection::vec((0_u64..3_000_000, 0_u64..14_000, 0_usize..3), 1..40),
        ) {
            let (mut login, mut token) = (Login::new(GRACE), 0);
            for (pause, retry, lost) in rounds {
                login.pass(Duration::from_millis(pause));
                let mut next = login.present(token).1;
                for _ in 0..lost {
                    login.pass(Duration::from_millis(retry));
                    let again = login.present(token).1;
                    prop_assert_eq!(again, next, "the same successor");
                    next = again;
                }
                token = next.expect("an honest client goes on");
            }
        }

        #[test]
        fn a_token_whose_successor_was_used_ends_the_login(
            steps in prop::collection::vec((0_usize..12, 0_u64..60_000), 1..80),
            grace in prop::sample::select(&[Duration::ZERO, GRACE]),
        ) {
            let mut login = Login::new(grace);
            for (back, pause) in steps {
                login.pass(Duration::from_millis(pause));
                let newest = login.used_at.len() - 1;
                let token = newest.saturating_sub(back);
                let was_ended = login.ended;
                let (verdict, next) = login.present(token);
                let is_old = token + 1 < newest || (token < newest && grace.is_zero());
                if is_old {
                    prop_assert_eq!(next, None);
                    prop_assert!(login.ended, "two parties have the token");
                }
                prop_assert!(!was_ended || verdict == Verdict::Ended, "an end is final");
                let unused = login.used_at.iter().filter(|used| used.is_none()).count();
                prop_assert_eq!(unused, 1, "one token is good at a time");
            }
        }
    }

    #[test]
    fn a_repeat_is_too_late_when_the_time_of_grace_is_over() {
        for (grace, pause, verdict) in [
            (GRACE, GRACE - Duration::from_millis(1), Verdict::Repeat),
            (GRACE, GRACE, Verdict::Reused),
            (Duration::ZERO, Duration::ZERO, Verdict::Reused),
        ] {
            let mut login = Login::new(grace);
            login.present(0);
            login.pass(pause);
            assert_eq!(login.present(0).0, verdict);
        }
    }

    #[test]
    fn a_token_is_good_for_thirty_days_and_not_a_moment_longer() {
        for (age, verdict) in
            [(LIFETIME - Duration::from_millis(1), Verdict::Exchange), (LIFETIME, Verdict::Expired)]
        {
            let mut login = Login::new(GRACE);
            login.pass(age);
            assert_eq!(login.present(0).0, verdict);
        }
    }
}
