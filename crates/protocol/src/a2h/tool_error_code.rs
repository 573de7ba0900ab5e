//! What went wrong with a tool call that was not refused.

use crate::wire::{Open, words};

words! {
    /// The kind of failure, in the answer to a tool call.
    ToolErrorCode {
        /// The device or the tool failed.
        PlatformError = "TOOL_PLATFORM_ERROR",
        /// The arguments do not fit the declared schema.
        InvalidArguments = "TOOL_INVALID_ARGUMENTS",
        /// This device cannot do it.
        Unavailable = "TOOL_UNAVAILABLE",
    }
}

words! {
    /// Reasons with a meaning of their own beside the code. Others are the names of Agent Tool error
    /// classes, or the words of another producer.
    ToolErrorReason {
        /// The tool took longer than its timeout.
        ToolTimeout = "tool_timeout",
        /// The call names another scope than the manifest.
        ScopeMismatch = "scope_mismatch",
    }
}

impl ToolErrorCode {
    /// The reason that is assumed when the answer gives none.
    #[must_use]
    pub fn default_reason(self) -> Open<ToolErrorReason> {
        Open::read(match self {
            Self::PlatformError => "execution_failed",
            Self::InvalidArguments => "schema_validation_failed",
            Self::Unavailable => "capability_gap",
        })
    }
}
