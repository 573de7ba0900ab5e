//! When a call is tried again without anybody asking for it: only if that cannot do harm.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_protocol::{agent_tool::ErrorClass, wire::Timestamp};
use serde_json::Value;

use super::{Calling, Outcome};
use crate::{catalog::SafetyFacts, executor::Failure};

/// How often a call is tried in all.
const MOST_ATTEMPTS: u32 = 3;
/// How long to wait before the second attempt if the tool does not say; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A tool that wants more time than this is not waited for: the caller is told instead.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How long to wait before trying again; none if it must not be tried again.
///
/// A tool is tried again only if its profile says that it supports it, and only if that does no harm:
///
/// | the failure says                        | tried again if the tool                     |
/// |-----------------------------------------|---------------------------------------------|
/// | too many calls, something is not there  | reads only, or does the same when repeated  |
/// | something took too long                 | reads only: nobody knows what was done      |
/// | anything else                           | never                                       |
///
/// A call that was given up after its own time is never tried again, because its time is over.
pub(super) fn pause(
    outcome: &Outcome,
    calling: &Calling,
    safety: &SafetyFacts,
    attempts: u32,
    now: UnixMillis,
) -> Option<Duration> {
    let Outcome::Failed(failure) = outcome else { return None };
    let supported = calling.tool.definition.execution.supports_retries == Some(true);
    let harmless = match failure.class {
        ErrorClass::RateLimited | ErrorClass::DependencyUnavailable => {
            safety.read_only || is_idempotent(calling)
        }
        ErrorClass::Timeout => safety.read_only,
        _ => false,
    };
    if !supported || !harmless || attempts >= MOST_ATTEMPTS {
        return None;
    }
    let doubled = || FIRST_PAUSE * 2_u32.pow(attempts.saturating_sub(1));
    let pause = wanted(failure, now).unwrap_or_else(doubled);
    (pause <= LONGEST_PAUSE).then_some(pause)
}

/// Whether repeating a call changes nothing more. That takes the word of a producer who is trusted.
fn is_idempotent(calling: &Calling) -> bool {
    let definition = &calling.tool.definition;
    let annotations = definition.declaration.annotations.as_ref();
    let hint = annotations.and_then(|annotations| annotations.get("idempotentHint"));
    definition.trusted && hint.and_then(Value::as_bool) == Some(true)
}

/// How long the tool wants to be left alone, however it says so. What cannot be understood is as good as
/// nothing.
fn wanted(failure: &Failure, now: UnixMillis) -> Option<Duration> {
    let now = Timestamp::from(now).instant().ok()?;
    failure.retry_after.as_ref()?.wait(now)
}
