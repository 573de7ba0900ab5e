//! One hook of the file.

use std::{sync::Arc, time::Duration};

use assent_document::{
    Fields, Node,
    readers::{boolean, parsed, text, whole, word},
};
use assent_ids::HookId;
use assent_protocol::{agent_tool::HookEvent, wire::Word};
use assent_runtime::{HOOK_TIMEOUT, Hook, OnFailure, Registration, ToolPattern};

use super::{MAX_TIMEOUT, Shared, command::command, http::http};
use crate::{Sight, Terms};

/// The largest `max_answer_bytes`.
const MAX_ANSWER_BYTES: u64 = assent_json::MAX_DOCUMENT_BYTES as u64;
/// The largest `max_parallel`.
const MAX_PARALLEL: u64 = 1024;

pub(super) fn entry(node: &Node<'_>, shared: &mut Shared<'_>) -> Option<Registration> {
    let mut fields = Fields::of(node)?;
    let id = fields.required("id", |node| own_id(node, shared));
    let event: Option<HookEvent> = fields.required("event", word);
    let tools = fields.optional("tools", pattern).or_else(|| ToolPattern::parse("*").ok());
    let timeout = fields.optional("timeout_ms", millis).unwrap_or(HOOK_TIMEOUT);
    let on_failure = fields.optional("on_failure", word).map_or(OnFailure::Closed, Failing::meant);
    let authoritative = fields.or_default("authoritative", |node| authority(node, event));
    let sight = match fields.or_default("sees_sensitive", boolean) {
        true => Sight::Full,
        false => Sight::Masked,
    };
    let max_answer_bytes =
        fields.optional("max_answer_bytes", |node| count(node, MAX_ANSWER_BYTES));
    let max_parallel = fields.optional("max_parallel", |node| count(node, MAX_PARALLEL));
    let terms = id.clone().map(|id| Terms {
        id,
        sight,
        max_answer_bytes: max_answer_bytes.unwrap_or(Terms::MAX_ANSWER_BYTES),
        max_parallel: max_parallel.unwrap_or(Terms::MAX_PARALLEL),
    });
    let hook = carrier(node, &mut fields, terms, shared);
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

/// Reads the transport: exactly one of the two.
fn carrier(
    node: &Node<'_>,
    fields: &mut Fields<'_, '_>,
    terms: Option<Terms>,
    shared: &mut Shared<'_>,
) -> Option<Arc<dyn Hook>> {
    let both = (fields.has("command"), fields.has("http"));
    let by_command = fields.optional("command", |node| command(node, terms.clone()));
    let by_http = fields.optional("http", |node| http(node, terms, shared));
    match both {
        (true, true) => node.problem("a hook is a `command` or an `http` service, not both"),
        (false, false) => node.problem("a `command` or an `http` service must be here"),
        (true, false) | (false, true) => {}
    }
    by_command.or(by_http)
}

fn own_id(node: &Node<'_>, shared: &mut Shared<'_>) -> Option<HookId> {
    let id: HookId = parsed(node)?;
    if !shared.ids.insert(id.clone()) {
        node.problem(format!("another hook has the id `{id}`"));
        return None;
    }
    Some(id)
}

fn pattern(node: &Node<'_>) -> Option<ToolPattern> {
    ToolPattern::parse(&text(node)?).map_err(|error| node.problem(error.to_string())).ok()
}

fn millis(node: &Node<'_>) -> Option<Duration> {
    let longest = u64::try_from(MAX_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
    whole(node, 1..=longest).map(Duration::from_millis)
}

fn count(node: &Node<'_>, most: u64) -> Option<usize> {
    whole(node, 1..=most).and_then(|count| usize::try_from(count).ok())
}

/// Reads whether an `allow` of the hook settles an ask; only some events can.
fn authority(node: &Node<'_>, event: Option<HookEvent>) -> Option<bool> {
    let authoritative = boolean(node)?;
    let decides =
        matches!(event, None | Some(HookEvent::PreToolUse | HookEvent::PermissionRequest));
    if authoritative && !decides {
        node.problem("only hooks of `pre_tool_use` and `permission_request` decide anything");
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
