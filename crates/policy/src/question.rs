//! A question to a policy: one call, and the facts about it.

use std::fmt;

use assent_ids::{CallableName, HookId, UnixMillis};
use assent_json::{Digest, Node};

use crate::{Decision, Mode};

/// The question whether a call may run.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The id of the tool that would run, never of a tool that only forwards the call.
    pub tool_id: &'a str,
    /// The namespace in which the name is unique.
    pub namespace: &'a str,
    /// The name in the namespace.
    pub name: &'a str,
    /// The namespace and the name, joined by a slash. Built from them if it is `None`.
    pub qualified: Option<&'a str>,
    /// Older names in the namespace.
    pub aliases: &'a [CallableName],
    /// The native operation, for tools that have several.
    pub operation: Option<&'a str>,
    /// The digest of the tool's definition.
    pub definition: Digest,
    /// The effects that the call can have with this input.
    pub safety: Safety,
    /// Set if the profile of the tool requires the approval of a person, unless a rule, a policy or a grant
    /// allows the call.
    pub requires_approval: bool,
    /// The caller.
    pub actor: Option<&'a str>,
    /// The session of the call.
    pub session: Option<&'a str>,
    /// The arguments to decide about.
    pub input: Node<'a>,
    /// The permission mode.
    pub mode: Mode,
    /// The opinions of hooks.
    pub opinions: &'a [Opinion],
    /// The current time, for grants that begin and expire.
    pub now: UnixMillis,
}

/// Leaves out the arguments, which may contain secrets.
impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("tool_id", &self.tool_id)
            .field("operation", &self.operation)
            .field("definition", &self.definition)
            .field("safety", &self.safety)
            .field("requires_approval", &self.requires_approval)
            .field("actor", &self.actor)
            .field("session", &self.session)
            .field("mode", &self.mode)
            .field("opinions", &self.opinions.len())
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// The effects that a call can have. If they are not known, `read_only` is `false` and the others are
/// `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safety {
    /// The call changes nothing.
    pub read_only: bool,
    /// The call may destroy data.
    pub destructive: bool,
    /// The call interacts with systems that are not known in advance.
    pub open_world: bool,
}

/// The opinion of a hook about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The decision of the hook.
    pub decision: Decision,
    /// The id of the hook.
    pub hook: HookId,
    /// The reason that the hook gave.
    pub reason: Option<String>,
    /// Set if the hook was configured as authoritative: its `allow` settles an ask, never a deny.
    pub authoritative: bool,
}
