//! How a call ended, seen from its result.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/result-envelope.md>

use crate::wire::words;

words! {
    /// How a call ended, seen from its result.
    ResultStatus {
        /// It worked.
        Succeeded = "succeeded",
        /// It worked in part.
        PartialSucceeded = "partial_succeeded",
        /// It broke, or never got to run.
        Failed = "failed",
        /// A rule, a policy or a hook said no.
        Denied = "denied",
        /// A person denied the call.
        Rejected = "rejected",
        /// It worked, and parts of the result were removed.
        Redacted = "redacted",
        /// It worked, and the result is too large to pass on.
        TooLarge = "too_large",
        /// It was stopped and said so.
        Canceled = "canceled",
        /// It took too long.
        TimedOut = "timed_out",
        /// It never ran or never answered; the runtime wrote the result.
        SyntheticError = "synthetic_error",
        /// Its answer is not wanted any more.
        Discarded = "discarded",
    }
}

impl ResultStatus {
    /// Whether a result with this status is an error. `too_large` is one unless the bytes can be
    /// fetched, which the status alone does not say: `None`.
    #[must_use]
    pub const fn is_error(self) -> Option<bool> {
        match self {
            Self::Succeeded | Self::PartialSucceeded | Self::Redacted => Some(false),
            Self::TooLarge => None,
            Self::Failed
            | Self::Denied
            | Self::Rejected
            | Self::Canceled
            | Self::TimedOut
            | Self::SyntheticError
            | Self::Discarded => Some(true),
        }
    }

    /// Whether the runtime wrote the result in the tool's place.
    #[must_use]
    pub const fn is_synthetic(self) -> bool {
        matches!(self, Self::SyntheticError | Self::Discarded)
    }
}
