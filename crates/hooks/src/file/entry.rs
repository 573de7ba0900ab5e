//! One hook of the file.

use std::{sync::Arc, time::Duration};

use assent_ids::HookId;
use assent_protocol::{agent_tool::HookEvent, wire::Word};
use assent_runtime::{HOOK_TIMEOUT, Hook, OnFailure, Registration, ToolPattern};

use super::{MAX_TIMEOUT, Shared, command::command, http::http};
use crate::{
    Sight, Terms,
    read::{At, Fields, boolean, id, text, whole, word},
};

/// The most bytes that an answer can be allowed.
const MAX_ANSWER_BYTES: u64 = assent_json::MAX_DOCUMENT_BYTES as u64;
/// The most moments that can be with a hook at once.
const MAX_PARALLEL: u64 = 1024;

pub(super) fn entry(at: &At<'_>, shared: &mut Shared<'_>) -> Option<Registration> {
    let mut fields = Fields::of(at)?;
    let id = fields.required("id", |at| own_id(at, shared));
    let event: Option<HookEvent> = fields.required("event", word);
    let tools = fields.optional("tools", pattern).or_else(|| ToolPattern::parse("*").ok());
    let timeout = fields.optional("timeout_ms", millis).unwrap_or(HOOK_TIMEOUT);
    let on_failure = fields.optional("on_failure", word).map_or(OnFailure::Closed, Failing::meant);
    let authoritative = fields.or_default("authoritative", |at| authority(at, event));
    let sight = match fields.or_default("sees_sensitive", boolean) {
        true => Sight::Full,
        false => Sight::Masked,
    };
    let max_answer_bytes = fields.optional("max_answer_bytes", |at| count(at, MAX_ANSWER_BYTES));
    let max_parallel = fields.optional("max_parallel", |at| count(at, MAX_PARALLEL));
    let terms = id.clone().map(|id| Terms {
        id,
        sight,
        max_answer_bytes: max_answer_bytes.unwrap_or(Terms::MAX_ANSWER_BYTES),
        max_parallel: max_parallel.unwrap_or(Terms::MAX_PARALLEL),
    });
    let hook = carrier(at, &mut fields, terms, shared);
    Some(Registration {
        id: id?,
        event: event?,
        tools: tools?,
        timeout,
        on_failure,
        authoritative,
        hook: hook?,
    })
}

/// What carries the moments: exactly one of the two.
fn carrier(
    at: &At<'_>,
    fields: &mut Fields<'_, '_>,
    terms: Option<Terms>,
    shared: &mut Shared<'_>,
) -> Option<Arc<dyn Hook>> {
    let both = (fields.has("command"), fields.has("http"));
    let by_command = fields.optional("command", |at| command(at, terms.clone()));
    let by_http = fields.optional("http", |at| http(at, terms, shared));
    match both {
        (true, true) => at.problem("a hook is a `command` or an `http` service, not both"),
        (false, false) => at.problem("a `command` or an `http` service must be here"),
        (true, false) | (false, true) => {}
    }
    by_command.or(by_http)
}

fn own_id(at: &At<'_>, shared: &mut Shared<'_>) -> Option<HookId> {
    let id: HookId = id(at)?;
    if !shared.ids.insert(id.clone()) {
        at.problem(format!("another hook has the id `{id}`"));
        return None;
    }
    Some(id)
}

fn pattern(at: &At<'_>) -> Option<ToolPattern> {
    ToolPattern::parse(&text(at)?).map_err(|error| at.problem(error.to_string())).ok()
}

fn millis(at: &At<'_>) -> Option<Duration> {
    let longest = u64::try_from(MAX_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
    whole(at, 1..=longest).map(Duration::from_millis)
}

fn count(at: &At<'_>, most: u64) -> Option<usize> {
    whole(at, 1..=most).and_then(|count| usize::try_from(count).ok())
}

/// Whether an `allow` of the hook settles an ask; in most events there is none.
fn authority(at: &At<'_>, event: Option<HookEvent>) -> Option<bool> {
    let authoritative = boolean(at)?;
    let decides =
        matches!(event, None | Some(HookEvent::PreToolUse | HookEvent::PermissionRequest));
    if authoritative && !decides {
        at.problem("only hooks of `pre_tool_use` and `permission_request` decide anything");
    }
    Some(authoritative)
}

/// The words of `on_failure`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failing {
    Closed,
    Open,
}

impl Failing {
    fn meant(self) -> OnFailure {
        match self {
            Self::Closed => OnFailure::Closed,
            Self::Open => OnFailure::Open,
        }
    }
}

impl Word for Failing {
    const WORDS: &'static [Self] = &[Self::Closed, Self::Open];

    fn word(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
        }
    }
}
