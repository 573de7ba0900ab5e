//! The states of a call and the transitions between them. The standard lists the states; the
//! transitions follow from its pipeline and the order of its events.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/invocation-lifecycle.md>

use crate::wire::words;

words! {
    /// Where a call is.
    InvocationStatus {
        /// A model wants it.
        Planned = "planned",
        /// The tool was found.
        Selected = "selected",
        /// The arguments do not fit the schema. Final.
        SchemaParseFailed = "schema_parse_failed",
        /// The arguments fit the schema.
        ArgumentsReady = "arguments_ready",
        /// The tool refuses the values. Final.
        ValidationFailed = "validation_failed",
        /// Hooks look at it.
        PreHooksRunning = "pre_hooks_running",
        /// A person is asked.
        AwaitingApproval = "awaiting_approval",
        /// It may run; a rule or a person said so.
        Approved = "approved",
        /// It must not run. Final.
        Denied = "denied",
        /// It waits for its turn.
        Queued = "queued",
        /// It runs.
        Running = "running",
        /// It waits for input.
        NeedsInput = "needs_input",
        /// A part of the result is ready.
        PartialResult = "partial_result",
        /// Hooks look at the outcome.
        PostHooksRunning = "post_hooks_running",
        /// The ordered result was handed over; the outcome follows.
        Yielded = "yielded",
        /// It worked. Final.
        Succeeded = "succeeded",
        /// It broke. Final.
        Failed = "failed",
        /// It was stopped. Final.
        Canceled = "canceled",
        /// It took too long. Final.
        TimedOut = "timed_out",
        /// The tool, the surface, a hook or the setup prevented it. Final.
        Blocked = "blocked",
    }
}

words! {
    /// The states in which a call ends.
    TerminalStatus {
        /// The arguments do not fit the schema.
        SchemaParseFailed = "schema_parse_failed",
        /// The tool refuses the values.
        ValidationFailed = "validation_failed",
        /// A permission decision said no.
        Denied = "denied",
        /// The tool, the surface, a hook or the setup prevented it.
        Blocked = "blocked",
        /// It worked.
        Succeeded = "succeeded",
        /// It broke.
        Failed = "failed",
        /// It was stopped.
        Canceled = "canceled",
        /// It took too long.
        TimedOut = "timed_out",
    }
}

impl InvocationStatus {
    /// The states that may follow. A final state has none.
    #[must_use]
    pub const fn successors(self) -> &'static [Self] {
        use InvocationStatus::{
            Approved, ArgumentsReady, AwaitingApproval, Blocked, Canceled, Denied, Failed,
            NeedsInput, PartialResult, Planned, PostHooksRunning, PreHooksRunning, Queued, Running,
            SchemaParseFailed, Selected, Succeeded, TimedOut, ValidationFailed, Yielded,
        };
        match self {
            Planned => &[Selected, Blocked, Failed, Canceled],
            Selected => &[ArgumentsReady, SchemaParseFailed, Blocked, Failed, Canceled],
            ArgumentsReady => &[
                ValidationFailed,
                PreHooksRunning,
                AwaitingApproval,
                Approved,
                Denied,
                Queued,
                Running,
                Blocked,
                Failed,
                Canceled,
            ],
            PreHooksRunning => &[
                ValidationFailed,
                AwaitingApproval,
                Approved,
                Denied,
                Queued,
                Running,
                Blocked,
                Failed,
                Canceled,
                TimedOut,
            ],
            AwaitingApproval => &[Approved, Denied, ValidationFailed, Blocked, Canceled, TimedOut],
            Approved => &[Queued, Running, ValidationFailed, Denied, Blocked, Canceled],
            Queued => &[Running, Blocked, Canceled, TimedOut],
            Running => &[
                NeedsInput,
                PartialResult,
                PostHooksRunning,
                Yielded,
                Succeeded,
                Failed,
                Canceled,
                TimedOut,
            ],
            NeedsInput => &[Running, Failed, Canceled, TimedOut],
            PartialResult => &[
                Running,
                PartialResult,
                NeedsInput,
                PostHooksRunning,
                Yielded,
                Succeeded,
                Failed,
                Canceled,
                TimedOut,
            ],
            PostHooksRunning => &[Yielded, Succeeded, Failed, Blocked, Canceled, TimedOut],
            Yielded => &[Succeeded, Failed, Canceled, TimedOut, Blocked],
            SchemaParseFailed | ValidationFailed | Denied | Blocked | Succeeded | Failed
            | Canceled | TimedOut => &[],
        }
    }

    /// Whether `next` may follow.
    #[must_use]
    pub fn can_become(self, next: Self) -> bool {
        self.successors().contains(&next)
    }

    /// Whether the call has ended.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        self.successors().is_empty()
    }

    /// The same state among those in which a call ends, if it is one.
    #[must_use]
    pub fn terminal(self) -> Option<TerminalStatus> {
        TerminalStatus::ALL.iter().copied().find(|end| Self::from(*end) == self)
    }
}

impl From<TerminalStatus> for InvocationStatus {
    fn from(end: TerminalStatus) -> Self {
        match end {
            TerminalStatus::SchemaParseFailed => Self::SchemaParseFailed,
            TerminalStatus::ValidationFailed => Self::ValidationFailed,
            TerminalStatus::Denied => Self::Denied,
            TerminalStatus::Blocked => Self::Blocked,
            TerminalStatus::Succeeded => Self::Succeeded,
            TerminalStatus::Failed => Self::Failed,
            TerminalStatus::Canceled => Self::Canceled,
            TerminalStatus::TimedOut => Self::TimedOut,
        }
    }
}
