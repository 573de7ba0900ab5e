//! What each class of failure means for the caller, as in `docs/errors`.

use assent_protocol::agent_tool::{ErrorClass, Recoverability};

/// The question about the call was not answered in time.
pub(crate) const UNANSWERED: &str = "approval_timed_out";
/// The approver closed the question because no person answered in time.
pub(crate) const USER_TIMEOUT: &str = "user_timeout";
/// The approval of the call has expired.
pub(crate) const APPROVAL_EXPIRED: &str = "expired";
/// The call differs from what was approved.
pub(crate) const APPROVAL_MISMATCH: &str = "approval_mismatch";
/// The permission was used up by another call.
pub(crate) const PERMISSION_USED_UP: &str = "permission_used_up";
/// The tool was changed after the call was allowed.
pub(crate) const DEFINITION_CHANGED: &str = "definition_changed";
/// The rules have changed and do not allow the call any longer.
pub(crate) const RULES_CHANGED: &str = "rules_changed";

/// What a class of failures means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Advice {
    /// The default message.
    pub(crate) message: &'static str,
    /// What to do.
    pub(crate) remedy: &'static str,
    /// What can be done about it.
    pub(crate) recoverability: Recoverability,
    /// Whether repeating does no harm.
    pub(crate) repeat: Repeat,
    /// Whether the same arguments would fail again.
    pub(crate) arguments_must_change: bool,
    /// Whether the tool has to be found and loaded first.
    pub(crate) discover_first: bool,
    /// Whether a new approval is required.
    pub(crate) approval_again: bool,
    /// Whether another call caused it.
    pub(crate) sibling_caused: bool,
}

/// Whether repeating a call does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// The tool did nothing.
    Harmless,
    /// If the tool was not started, only reads or can be repeated.
    IfRepeatable,
    /// Repeating would ignore a refusal, or do something twice.
    Harmful,
}

impl Advice {
    const fn new(
        recoverability: Recoverability,
        repeat: Repeat,
        message: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self {
            message,
            remedy,
            recoverability,
            repeat,
            arguments_must_change: false,
            discover_first: false,
            approval_again: false,
            sibling_caused: false,
        }
    }

    const fn change_arguments(mut self) -> Self {
        self.arguments_must_change = true;
        self
    }

    const fn discover(mut self) -> Self {
        self.discover_first = true;
        self
    }

    const fn approve(mut self) -> Self {
        self.approval_again = true;
        self
    }

    const fn blame_sibling(mut self) -> Self {
        self.sibling_caused = true;
        self
    }
}

/// The advice for a call that was blocked for a reason unrelated to its arguments: the same call may run when it
/// is repeated. `None` for other codes.
#[must_use]
pub(crate) fn advice_on_code(code: &str) -> Option<Advice> {
    match code {
        UNANSWERED | USER_TIMEOUT => Some(
            Advice::new(
                Recoverability::NeedsApproval,
                Repeat::Harmless,
                "the question was not answered in time",
                "The call did nothing and has ended. Make it again when a person can answer: they are asked again.",
            )
            .approve(),
        ),
        APPROVAL_EXPIRED => Some(
            Advice::new(
                Recoverability::NeedsApproval,
                Repeat::Harmless,
                "the approval ended before the call could begin",
                "The call did nothing and has ended. Make it again: the person is asked again.",
            )
            .approve(),
        ),
        APPROVAL_MISMATCH | PERMISSION_USED_UP => Some(
            Advice::new(
                Recoverability::NeedsApproval,
                Repeat::Harmless,
                "the approval is not one for this call",
                "The call did nothing and has ended. Make it again: the person is asked again.",
            )
            .approve(),
        ),
        DEFINITION_CHANGED | RULES_CHANGED => Some(Advice::new(
            Recoverability::RetrySame,
            Repeat::Harmless,
            "something has changed since the call was allowed",
            "The call did nothing and has ended. Make it again: it is judged by what holds now.",
        )),
        _ => None,
    }
}

/// What a failure of this class means.
#[must_use]
pub(crate) const fn advice(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::UnknownTool
        | ErrorClass::SchemaNotLoaded
        | ErrorClass::BlockedTool
        | ErrorClass::CapabilityGap
        | ErrorClass::SetupRequired
        | ErrorClass::CredentialMissing => not_available(class),
        ErrorClass::InvalidArguments
        | ErrorClass::SchemaValidationFailed
        | ErrorClass::SandboxViolation
        | ErrorClass::InputMutationFailed => wrong_input(class),
        ErrorClass::PermissionDenied
        | ErrorClass::ApprovalRejected
        | ErrorClass::PolicyBlocked
        | ErrorClass::HookBlocked
        | ErrorClass::HookFailed => refused(class),
        ErrorClass::Timeout
        | ErrorClass::RateLimited
        | ErrorClass::DependencyUnavailable
        | ErrorClass::ExecutionFailed
        | ErrorClass::PartialFailure => broke(class),
        ErrorClass::SiblingCanceled
        | ErrorClass::StreamingFallbackDiscarded
        | ErrorClass::Canceled => stopped(class),
        ErrorClass::ResultTooLarge
        | ErrorClass::ResultRedacted
        | ErrorClass::ResultMappingFailed
        | ErrorClass::PostHookFailed => worked(class),
    }
}

/// The tool cannot be called.
const fn not_available(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::SchemaNotLoaded => Advice::new(
            Recoverability::DiscoverFirst,
            Repeat::Harmless,
            "the tool has to be loaded before it is called",
            "Load it with `select:NAME`, read its schema, then call it.",
        )
        .discover(),
        ErrorClass::BlockedTool => Advice::new(
            Recoverability::DiscoverFirst,
            Repeat::Harmless,
            "the tool is barred here",
            "Use another tool, or have the reason removed.",
        )
        .discover(),
        ErrorClass::CapabilityGap => Advice::new(
            Recoverability::None,
            Repeat::Harmful,
            "the model or the runtime cannot do this",
            "Use another tool.",
        ),
        ErrorClass::SetupRequired => Advice::new(
            Recoverability::NeedsSetup,
            Repeat::Harmless,
            "the tool is not set up",
            "Have it set up, then call it again.",
        ),
        ErrorClass::CredentialMissing => Advice::new(
            Recoverability::NeedsSetup,
            Repeat::Harmless,
            "a credential is missing",
            "Have the account connected. Never put a secret into the arguments.",
        ),
        _ => Advice::new(
            Recoverability::DiscoverFirst,
            Repeat::Harmless,
            "there is no tool of that name",
            "Search for the tool and use a name from the answer.",
        )
        .discover(),
    }
}

/// The call cannot be made with this input.
const fn wrong_input(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::SchemaValidationFailed => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::Harmless,
            "the arguments do not fit the tool's schema",
            "Compare them with the schema and call again.",
        )
        .change_arguments(),
        ErrorClass::SandboxViolation => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::Harmless,
            "the call would leave the sandbox",
            "Stay within the allowed folders and hosts.",
        )
        .change_arguments(),
        ErrorClass::InputMutationFailed => Advice::new(
            Recoverability::NeedsSetup,
            Repeat::Harmless,
            "the input could not be changed as it had to be",
            "Have the hook or the change corrected, then call again.",
        ),
        _ => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::Harmless,
            "the tool refuses these values",
            "Change the arguments and call again.",
        )
        .change_arguments(),
    }
}

/// The call was refused.
const fn refused(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::ApprovalRejected => Advice::new(
            Recoverability::NeedsApproval,
            Repeat::Harmful,
            "a person said no",
            "Respect it. Only a different call may be asked for.",
        )
        .change_arguments()
        .approve(),
        ErrorClass::PolicyBlocked => Advice::new(
            Recoverability::ChangeArgumentsOrPolicy,
            Repeat::Harmless,
            "a policy says no",
            "Do without it, or ask the person who is responsible for the policy.",
        )
        .change_arguments(),
        ErrorClass::HookBlocked => Advice::new(
            Recoverability::ChangeArgumentsOrPolicy,
            Repeat::Harmless,
            "a hook says no",
            "Do what its message asks for.",
        )
        .change_arguments(),
        ErrorClass::HookFailed => Advice::new(
            Recoverability::NeedsSetup,
            Repeat::Harmless,
            "a hook broke, and without it nothing runs",
            "Have the hook repaired, then call again.",
        ),
        _ => Advice::new(
            Recoverability::ChangeArgumentsOrPolicy,
            Repeat::Harmless,
            "a rule says no",
            "Change the arguments so that the rule does not apply, or have the rule changed.",
        )
        .change_arguments(),
    }
}

/// The tool failed.
const fn broke(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::Timeout => Advice::new(
            Recoverability::RetrySame,
            Repeat::IfRepeatable,
            "it took too long",
            "Ask for less at a time. If the tool changes something, look at the present state first.",
        ),
        ErrorClass::RateLimited => Advice::new(
            Recoverability::RetryAfterDelay,
            Repeat::Harmless,
            "there were too many calls",
            "Wait as long as `retry_after` says, then go on more slowly.",
        ),
        ErrorClass::DependencyUnavailable => Advice::new(
            Recoverability::RetryAfterDelay,
            Repeat::IfRepeatable,
            "something the tool needs does not answer",
            "Wait and try again if the tool only reads.",
        ),
        ErrorClass::PartialFailure => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::Harmful,
            "some parts worked and some did not",
            "Keep what worked and repeat only the rest.",
        )
        .change_arguments(),
        _ => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::IfRepeatable,
            "the tool broke while running",
            "Read the message. Do not repeat the call blindly.",
        ),
    }
}

/// The call was ended from outside.
const fn stopped(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::SiblingCanceled => Advice::new(
            Recoverability::RetrySame,
            Repeat::IfRepeatable,
            "canceled because a sibling call failed",
            "Solve the problem of the other call, then repeat this one.",
        )
        .blame_sibling(),
        ErrorClass::StreamingFallbackDiscarded => Advice::new(
            Recoverability::None,
            Repeat::Harmful,
            "the model's answer was replaced, so this call is void",
            "Nothing. If the new answer needs the call, it contains it.",
        ),
        _ => Advice::new(
            Recoverability::NeedsApproval,
            Repeat::IfRepeatable,
            "the call was stopped",
            "Do not start it again unless you are asked to.",
        )
        .approve(),
    }
}

/// The tool succeeded, and something else failed.
const fn worked(class: ErrorClass) -> Advice {
    match class {
        ErrorClass::ResultRedacted => Advice::new(
            Recoverability::None,
            Repeat::Harmful,
            "the result was removed because it is sensitive",
            "Work with the summary.",
        ),
        ErrorClass::ResultMappingFailed => Advice::new(
            Recoverability::None,
            Repeat::Harmful,
            "the tool ran, but its output could not be turned into a result",
            "Have the tool or its output schema corrected. What it did is done.",
        ),
        ErrorClass::PostHookFailed => Advice::new(
            Recoverability::None,
            Repeat::Harmful,
            "a hook broke after the call, which itself worked",
            "Have the hook repaired. The result can be used.",
        ),
        _ => Advice::new(
            Recoverability::ChangeArguments,
            Repeat::IfRepeatable,
            "the result is too large to pass on, and its bytes are not kept",
            "Ask for less: a page, a range, a filter, a summary.",
        )
        .change_arguments(),
    }
}
