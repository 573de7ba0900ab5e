//! Ids that Assent generates: a prefix for the kind, and a ULID.

use crate::{Clock, Entropy, Ulid, UnixMillis, id_macro::ids};

/// A generated id.
pub trait GeneratedId: Copy + Ord {
    /// The prefix, without the underscore.
    const PREFIX: &'static str;
    /// The kind of id, in words.
    const WHAT: &'static str;

    /// Creates the id with this ULID.
    fn from_ulid(ulid: Ulid) -> Self;

    /// Returns the ULID after the prefix.
    fn ulid(self) -> Ulid;

    /// Generates an id. Ids of the same millisecond are in no order; [`crate::Minter`] generates ordered
    /// ids.
    fn generate(clock: &(impl Clock + ?Sized), entropy: &(impl Entropy + ?Sized)) -> Self {
        Self::from_ulid(Ulid::generate(clock, entropy))
    }

    /// Returns the time at which the id was generated.
    fn time(self) -> UnixMillis {
        self.ulid().time()
    }
}

ids! { generated
    /// A person's account.
    UserId, "usr", "user id";
    /// A device of a person.
    DeviceId, "dev", "device id";
    /// An agent.
    AgentId, "agt", "agent id";
    /// The relation between a person and an agent.
    RelationId, "rel", "relation id";
    /// An entry in the chain of grants of a relation.
    LedgerEntryId, "led", "ledger entry id";
    /// A conversation.
    ConversationId, "cnv", "conversation id";
    /// A stored message, as the server names it.
    MessageId, "msg", "message id";
    /// One webhook delivery, the same through all its attempts.
    DeliveryId, "dlv", "delivery id";
    /// An agent's access token (the token's name, never its secret).
    TokenId, "tok", "token id";
    /// The refresh tokens of one login.
    TokenFamilyId, "fam", "token family id";
    /// A short-lived credential of a restricted command.
    CredentialId, "crd", "credential id";
    /// One HTTP request, for logs.
    RequestId, "req", "request id";

    /// A conversation of one user with an in-house agent.
    SessionId, "ses", "session id";
    /// One run of an agent within a session.
    RunId, "run", "run id";

    /// One requested tool call, whatever its outcome.
    InvocationId, "inv", "invocation id";
    /// The calls that a model asked for together.
    BatchId, "bat", "batch id";
    /// A snapshot of the tools offered in one context.
    SurfaceId, "srf", "surface id";
    /// One permission decision.
    DecisionId, "dec", "decision id";
    /// A single-use approval, bound to one exact call.
    ApprovalId, "apr", "approval id";
    /// A question to a person.
    PromptId, "prm", "prompt id";
    /// One change of a call's input.
    MutationId, "mut", "mutation id";
    /// One run of one hook.
    HookRunId, "hok", "hook run id";
    /// One progress report.
    ProgressId, "prg", "progress id";
    /// The result of a call.
    ResultId, "res", "result id";
    /// The decision on how a result is stored.
    PersistenceId, "per", "persistence decision id";
    /// One event of the tool journal.
    EventId, "evt", "event id";
    /// One entry of the audit log.
    AuditEntryId, "aud", "audit entry id";
}
