//! The kinds of failure: the 22 classes of the standard and the five that only its pipeline page names.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/errors-and-retries.md>

use super::ExclusionReason;
use crate::wire::words;

words! {
    /// The kind of failure.
    ErrorClass {
        /// No tool of that name.
        UnknownTool = "unknown_tool",
        /// The tool refuses the values.
        InvalidArguments = "invalid_arguments",
        /// The arguments do not fit the schema.
        SchemaValidationFailed = "schema_validation_failed",
        /// The tool has to be loaded first.
        SchemaNotLoaded = "schema_not_loaded",
        /// A rule denied the call.
        PermissionDenied = "permission_denied",
        /// A person denied the call.
        ApprovalRejected = "approval_rejected",
        /// A policy denied the call.
        PolicyBlocked = "policy_blocked",
        /// A hook denied the call.
        HookBlocked = "hook_blocked",
        /// The model or the runtime cannot do it.
        CapabilityGap = "capability_gap",
        /// Something is not set up.
        SetupRequired = "setup_required",
        /// A credential is missing.
        CredentialMissing = "credential_missing",
        /// It would leave the sandbox.
        SandboxViolation = "sandbox_violation",
        /// It took too long.
        Timeout = "timeout",
        /// Too many calls.
        RateLimited = "rate_limited",
        /// Something it needs does not answer.
        DependencyUnavailable = "dependency_unavailable",
        /// The call failed while running.
        ExecutionFailed = "execution_failed",
        /// Some parts failed.
        PartialFailure = "partial_failure",
        /// The result is too large.
        ResultTooLarge = "result_too_large",
        /// The result was removed.
        ResultRedacted = "result_redacted",
        /// Another call of the batch failed.
        SiblingCanceled = "sibling_canceled",
        /// The model's answer was replaced by another.
        StreamingFallbackDiscarded = "streaming_fallback_discarded",
        /// It was stopped.
        Canceled = "canceled",
        /// The surface blocks the tool. Pipeline page only.
        BlockedTool = "blocked_tool",
        /// The input could not be changed as asked. Pipeline page only.
        InputMutationFailed = "input_mutation_failed",
        /// A hook failed before the call. Pipeline page only.
        HookFailed = "hook_failed",
        /// The output could not be turned into a result. Pipeline page only.
        ResultMappingFailed = "result_mapping_failed",
        /// A hook failed after the call. Pipeline page only.
        PostHookFailed = "post_hook_failed",
    }
}

impl ErrorClass {
    /// Whether the class is among the 22 that the standard's error page lists.
    #[must_use]
    pub fn is_spec_class(self) -> bool {
        self.nearest_spec_class(None) == self
    }

    /// Returns the nearest of the 22 listed classes, for readers that know only these. `barred_by` is the reason
    /// in the surface why the tool is blocked.
    #[must_use]
    pub fn nearest_spec_class(self, barred_by: Option<ExclusionReason>) -> Self {
        match self {
            Self::BlockedTool => match barred_by {
                Some(ExclusionReason::CredentialMissing) => Self::CredentialMissing,
                Some(ExclusionReason::SetupRequired) => Self::SetupRequired,
                Some(ExclusionReason::ModelUnsupported | ExclusionReason::FeatureDisabled) => {
                    Self::CapabilityGap
                }
                Some(ExclusionReason::DeferredUntilDiscovered) => Self::SchemaNotLoaded,
                Some(
                    ExclusionReason::PolicyBlocked
                    | ExclusionReason::RecursiveToolForbidden
                    | ExclusionReason::RoleNotAllowed,
                )
                | None => Self::PolicyBlocked,
            },
            Self::HookFailed => Self::HookBlocked,
            Self::InputMutationFailed => Self::InvalidArguments,
            Self::ResultMappingFailed | Self::PostHookFailed => Self::ExecutionFailed,
            listed => listed,
        }
    }
}
