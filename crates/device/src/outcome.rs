//! What an agent is answered.

use assent_ids::{CallId, UnixMillis};
use assent_mailbox::{MailboxError, OutgoingMessage};
use assent_protocol::{
    a2h::{DeniedReason, ToolErrorCode, ToolErrorReason, ToolOutcome, ToolResponse},
    agent_tool::{ErrorClass, ResultStatus, ToolError, ToolResult},
    wire::{Loose, Open, Timestamp, Word as _},
};
use assent_sealing::Endpoint;
use serde_json::Value;
use zeroize::Zeroizing;

use crate::{Prompt, call_record::AnswerId};

/// The prefix of policy references that hold a reason of this protocol.
pub(crate) const REASON_PREFIX: &str = "a2h:";

/// The prefix of policy references that hold a detail of a reason.
pub(crate) const DETAIL_PREFIX: &str = "a2h-detail:";

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
pub(crate) fn response_of(call_id: CallId, result: &ToolResult) -> ToolResponse {
    let mut response = ToolResponse::new(call_id, outcome_of(result));
    let refs = match result.error.as_deref() {
        Some(Loose::Typed(error)) => error.policy_refs.as_deref().unwrap_or_default(),
        _ => &[],
    };
    if let Some(detail) = refs.iter().find_map(|name| name.strip_prefix(DETAIL_PREFIX)) {
        response.extra.insert("detail".to_owned(), detail.into());
    }
    response
}

fn outcome_of(result: &ToolResult) -> ToolOutcome {
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

/// The message that tells an agent to wait for the answer to a prompt.
pub(crate) fn pending(prompt: &Prompt, until: UnixMillis) -> Result<OutgoingMessage, MailboxError> {
    let agent_id = prompt.agent.agent_id;
    let outcome = ToolOutcome::Pending { until: Some(Timestamp::from(until)) };
    let response = ToolResponse::new(prompt.call_id.clone(), outcome);
    let json = serde_json::to_vec(&response).map_err(|_| MailboxError::Damaged("answer"))?;
    let answer_id = AnswerId::of(prompt.conversation_id, agent_id, &prompt.call_id);
    Ok(OutgoingMessage {
        conversation: prompt.conversation_id,
        client_message_id: answer_id.pending_id()?,
        subtype: ToolResponse::MSG_SUBTYPE,
        content_type: ToolResponse::CONTENT_TYPE,
        recipients: vec![Endpoint::Agent(agent_id)],
        content: Zeroizing::new(json),
    })
}

pub(crate) fn denied(reason: &str) -> ToolOutcome {
    ToolOutcome::Denied { reason: Open::read(reason) }
}

pub(crate) fn failed(code: ToolErrorCode, reason: &str) -> ToolOutcome {
    let reason: Open<ToolErrorReason> = Open::read(reason);
    ToolOutcome::Error { code: code.into(), reason }
}
