//! When a call is retried automatically: only if that cannot do harm.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_protocol::{agent_tool::ErrorClass, wire::Timestamp};
use serde_json::Value;

use super::{Calling, Outcome};
use crate::{catalog::SafetyFacts, executor::Failure};

/// The maximum number of attempts.
const MAX_ATTEMPTS: u32 = 3;
/// The default pause before the second attempt; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause; if the tool asks for a longer one, the caller gets the failure.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// The pause before the next attempt; `None` if there must be none.
///
/// A tool is retried only if its profile says that it supports retries, and only if that does no harm:
///
/// | the failure says                        | retried if the tool                         |
/// |-----------------------------------------|---------------------------------------------|
/// | too many calls, dependency unavailable  | is read-only or idempotent                  |
/// | timeout                                 | is read-only                                |
/// | anything else                           | never                                       |
///
/// A call that exceeded its own timeout is never retried.
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
    if !supported || !harmless || attempts >= MAX_ATTEMPTS {
        return None;
    }
    let doubled = || FIRST_PAUSE * 2_u32.pow(attempts.saturating_sub(1));
    let pause = wanted(failure, now).unwrap_or_else(doubled);
    (pause <= MAX_PAUSE).then_some(pause)
}

/// Returns `true` if the tool is idempotent according to a trusted producer.
fn is_idempotent(calling: &Calling) -> bool {
    let definition = &calling.tool.definition;
    let annotations = definition.declaration.annotations.as_ref();
    let hint = annotations.and_then(|annotations| annotations.get("idempotentHint"));
    definition.trusted && hint.and_then(Value::as_bool) == Some(true)
}

/// The pause that the tool asks for, if it can be understood.
fn wanted(failure: &Failure, now: UnixMillis) -> Option<Duration> {
    let now = Timestamp::from(now).instant().ok()?;
    failure.retry_after.as_ref()?.wait(now)
}
