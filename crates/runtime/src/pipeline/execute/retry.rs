//! When a call is tried again without anybody asking for it: only if that cannot do harm.

use std::time::Duration;

use assent_protocol::agent_tool::{ErrorClass, RetryAfter};

use super::{Calling, Outcome};
use crate::{catalog::SafetyFacts, executor::Failure};

/// How often a call is tried in all.
const MOST_ATTEMPTS: u32 = 3;
/// How long to wait before the second attempt; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A tool that wants more time than this is not waited for: the caller is told instead.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How long to wait before trying again; none if it must not be tried again.
///
/// A tool is tried again only if its profile says that it supports it, it reads only, and the failure
/// says that nothing has happened: too many calls, or something that does not answer. A call that was
/// given up after its time is never tried again, because its time is over.
pub(super) fn pause(
    outcome: &Outcome,
    calling: &Calling,
    safety: &SafetyFacts,
    attempts: u32,
) -> Option<Duration> {
    let Outcome::Failed(failure) = outcome else { return None };
    let supported = calling.tool.definition.execution.supports_retries == Some(true);
    let harmless = safety.read_only
        && matches!(failure.class, ErrorClass::RateLimited | ErrorClass::DependencyUnavailable);
    if !supported || !harmless || attempts >= MOST_ATTEMPTS {
        return None;
    }
    let pause = wanted(failure).unwrap_or(FIRST_PAUSE * 2_u32.pow(attempts.saturating_sub(1)));
    (pause <= LONGEST_PAUSE).then_some(pause)
}

fn wanted(failure: &Failure) -> Option<Duration> {
    match failure.retry_after.as_ref()? {
        RetryAfter::Seconds(seconds) => Some(Duration::from_secs(seconds.0)),
        _ => None,
    }
}
