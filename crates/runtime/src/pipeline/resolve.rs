//! Stage 1: which tool is requested? Only the caller's surface counts.

use std::sync::Arc;

use assent_protocol::agent_tool::{ErrorClass, ExclusionReason, TerminalStatus, ToolError};
use serde_json::json;

use super::{Calling, Context, IncomingCall, Resumed, Stage, Stop, Trail};
use crate::{catalog::Tool, request::ModelInput, surface::Resolution};

/// A call whose tool is known.
pub(crate) struct Resolved {
    pub(crate) calling: Calling,
    pub(crate) input: ModelInput,
    /// Whether the caller's surface has the tool's schema.
    pub(crate) is_loaded: bool,
}

pub(crate) fn run(ctx: &Context, call: IncomingCall, trail: &mut Trail) -> Result<Resolved, Stop> {
    let (tool, is_loaded) = match call.surface.resolve(&call.requested) {
        Resolution::Loaded(tool) => (tool, true),
        Resolution::Deferred(tool) => (tool, false),
        Resolution::Blocked { tool, reason, detail, policy_refs } => {
            trail.plan(Some(&tool));
            return Err(barred(&tool, reason, detail.as_deref(), policy_refs));
        }
        Resolution::NotSurfaced(_) => {
            let known = ctx.find_tool(&call.requested);
            trail.plan(known.as_ref());
            // The tool is not identified: a caller must not learn about tools that are not offered to it.
            trail.tool = None;
            return Err(unknown(&call.requested).coded(ToolError::TOOL_NOT_SURFACED));
        }
        Resolution::Ambiguous(candidates) => {
            trail.plan(None);
            let message = format!(
                "several tools are called `{}`: call it by one of {}",
                call.requested,
                candidates.join(", ")
            );
            let stop =
                Stop::new(Stage::Resolve, TerminalStatus::Failed, ErrorClass::UnknownTool, message);
            return Err(stop.coded("ambiguous_tool").detailed(json!({"candidates": candidates})));
        }
        Resolution::Unknown => {
            trail.plan(None);
            return Err(unknown(&call.requested));
        }
    };
    trail.plan(Some(&tool));
    trail.select(&tool);
    if let Some(behavior) = tool.interrupt {
        call.control.on_interrupt(behavior);
    }
    let calling = Calling {
        timeout: Calling::timeout_of(&tool, &trail.planned),
        tool,
        control: call.control,
        slot: call.slot,
        resumed: Resumed::default(),
    };
    Ok(Resolved { calling, input: call.input, is_loaded })
}

fn unknown(requested: &str) -> Stop {
    let requested = assent_json::shorten(requested, 80);
    let message = format!("there is no tool `{requested}` here: search for one, or check the name");
    Stop::new(Stage::Resolve, TerminalStatus::Failed, ErrorClass::UnknownTool, message)
}

fn barred(
    tool: &Arc<Tool>,
    reason: ExclusionReason,
    detail: Option<&str>,
    policies: Vec<String>,
) -> Stop {
    let class = match reason {
        ExclusionReason::SetupRequired => ErrorClass::SetupRequired,
        ExclusionReason::CredentialMissing => ErrorClass::CredentialMissing,
        ExclusionReason::PolicyBlocked
        | ExclusionReason::ModelUnsupported
        | ExclusionReason::RecursiveToolForbidden
        | ExclusionReason::RoleNotAllowed
        | ExclusionReason::FeatureDisabled
        | ExclusionReason::DeferredUntilDiscovered => ErrorClass::BlockedTool,
    };
    let message = match detail {
        Some(detail) => format!("`{}` cannot be used here: {detail}", tool.name),
        None => format!("`{}` cannot be used here ({reason})", tool.name),
    };
    let stop = Stop::new(Stage::Resolve, TerminalStatus::Blocked, class, message);
    Stop { barred_by: Some(reason), policies, ..stop.coded(reason.as_str()) }
}
