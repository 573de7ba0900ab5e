//! What an agent is answered.

use assent_protocol::{
    a2h::{DeniedReason, ToolErrorCode, ToolErrorReason, ToolOutcome},
    agent_tool::{ErrorClass, ResultStatus, ToolError, ToolResult},
    wire::{Loose, Open, Word as _},
};
use serde_json::Value;

/// The prefix of policy references that hold a reason of this protocol.
pub(crate) const REASON_PREFIX: &str = "a2h:";

/// Codes that the runtime and the tools give, and that agents are answered as they are.
const PLATFORM_REASONS: &[&str] = &[
    "not_found",
    "approval_mismatch",
    "definition_changed",
    "interrupted_by_crash",
    "expired",
    "canceled",
];

/// The answer to a call, from its result.
pub(crate) fn outcome_of(result: &ToolResult) -> ToolOutcome {
    if result.status.known() == Some(ResultStatus::Succeeded) {
        let result = result.structured_content.clone().unwrap_or(Value::Null);
        return ToolOutcome::Ok { result };
    }
    match result.error.as_deref() {
        Some(Loose::Typed(error)) => outcome_of_error(error),
        _ => failed(ToolErrorCode::PlatformError, "execution_failed"),
    }
}

fn outcome_of_error(error: &ToolError) -> ToolOutcome {
    let refs = error.policy_refs.iter().flatten();
    if let Some(reason) = refs.into_iter().find_map(|name| name.strip_prefix(REASON_PREFIX)) {
        return denied(reason);
    }
    let code = error.error_code.as_deref().unwrap_or_default();
    if let Some(reason) = DeniedReason::find(code) {
        return ToolOutcome::Denied { reason: reason.into() };
    }
    match code {
        "scope_mismatch" => return failed(ToolErrorCode::InvalidArguments, code),
        code if PLATFORM_REASONS.contains(&code) => {
            return failed(ToolErrorCode::PlatformError, code);
        }
        _ => {}
    }
    outcome_of_class(error.error_class.known())
}

fn outcome_of_class(class: Option<ErrorClass>) -> ToolOutcome {
    use ToolErrorCode::{InvalidArguments, PlatformError, Unavailable};
    match class {
        Some(ErrorClass::UnknownTool) => denied("tool_not_declared"),
        Some(ErrorClass::BlockedTool) => denied("scope_not_granted"),
        Some(
            ErrorClass::ApprovalRejected | ErrorClass::PermissionDenied | ErrorClass::PolicyBlocked,
        ) => denied("user_refused"),
        Some(ErrorClass::SchemaValidationFailed) => {
            failed(InvalidArguments, "schema_validation_failed")
        }
        Some(ErrorClass::InvalidArguments) => failed(InvalidArguments, "invalid_arguments"),
        Some(ErrorClass::CapabilityGap) => failed(Unavailable, "capability_gap"),
        Some(ErrorClass::SetupRequired) => failed(Unavailable, "setup_required"),
        Some(ErrorClass::SandboxViolation) => failed(PlatformError, "sandbox_violation"),
        Some(ErrorClass::Timeout) => failed(PlatformError, "tool_timeout"),
        Some(ErrorClass::RateLimited) => failed(PlatformError, "rate_limited"),
        Some(ErrorClass::ResultTooLarge) => failed(PlatformError, "result_too_large"),
        Some(ErrorClass::Canceled) => failed(PlatformError, "canceled"),
        _ => failed(PlatformError, "execution_failed"),
    }
}

pub(crate) fn denied(reason: &str) -> ToolOutcome {
    ToolOutcome::Denied { reason: Open::read(reason) }
}

pub(crate) fn failed(code: ToolErrorCode, reason: &str) -> ToolOutcome {
    let reason: Open<ToolErrorReason> = Open::read(reason);
    ToolOutcome::Error { code: code.into(), reason }
}
