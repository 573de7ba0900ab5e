//! What is asked: one call, and all that is known about it.

use std::fmt;

use assent_ids::{CallableName, HookId, UnixMillis};
use assent_json::{Digest, Node};

use crate::{Decision, Mode};

/// May this call run?
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The tool that would run: never a tool that only hands the call on.
    pub tool_id: &'a str,
    /// The boundary within which its name is unique.
    pub namespace: &'a str,
    /// Its name there.
    pub name: &'a str,
    /// Both with a slash between them, if whoever asks has that at hand; it is put together otherwise.
    pub qualified: Option<&'a str>,
    /// Its older names there.
    pub aliases: &'a [CallableName],
    /// The native operation, for tools that have several.
    pub operation: Option<&'a str>,
    /// The digest of the tool's definition.
    pub definition: Digest,
    /// What the call can do, with this input.
    pub safety: Safety,
    /// The tool's profile wants a person to agree, unless a rule, a policy or a grant speaks for the
    /// call.
    pub requires_approval: bool,
    /// Who calls.
    pub actor: Option<&'a str>,
    /// In which session.
    pub session: Option<&'a str>,
    /// The arguments to decide about.
    pub input: Node<'a>,
    /// The permission mode.
    pub mode: Mode,
    /// What hooks have said.
    pub opinions: &'a [Opinion],
    /// The time, for grants that begin and end.
    pub now: UnixMillis,
}

/// Arguments may hold secrets, so a debug print leaves them out.
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

/// What a call can do. Whoever fills this in writes `false` for `read_only`, and `true` for the
/// others, when it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safety {
    /// It changes nothing.
    pub read_only: bool,
    /// What it changes may be lost.
    pub destructive: bool,
    /// It reaches beyond what is known in advance.
    pub open_world: bool,
}

/// What a hook says about the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The hook's decision.
    pub decision: Decision,
    /// The hook.
    pub hook: HookId,
    /// Its words.
    pub reason: Option<String>,
    /// Trusted configuration names this hook: its `allow` settles a question, never a `deny`.
    pub authoritative: bool,
}
