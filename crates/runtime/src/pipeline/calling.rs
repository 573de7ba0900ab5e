//! What a call carries from stage to stage besides its inputs.

use std::{sync::Arc, time::Duration};

use assent_journal::{Asked, Binding, Planned};
use assent_protocol::{agent_tool::AbortReason, wire::Millis};

use crate::{
    catalog::Tool, control::Control, request::ModelInput, scheduler::Slot, surface::Surface,
};

/// A call that has just come in.
pub(crate) struct IncomingCall {
    pub(crate) requested: Arc<str>,
    pub(crate) input: ModelInput,
    pub(crate) surface: Arc<Surface>,
    pub(crate) control: Arc<Control>,
    pub(crate) slot: Arc<Slot>,
}

/// The approval of a call that a crash interrupted.
#[derive(Default)]
pub(crate) struct Resumed {
    /// The question that a person was asked and has not answered.
    pub(crate) asked: Option<Arc<Asked>>,
    /// What a person approved.
    pub(crate) approved: Option<Arc<Binding>>,
}

/// A call whose tool is known.
pub(crate) struct Calling {
    pub(crate) tool: Arc<Tool>,
    /// The time that the tool may take: its own timeout, or that of the request if it is smaller.
    pub(crate) timeout: Duration,
    pub(crate) control: Arc<Control>,
    pub(crate) slot: Arc<Slot>,
    pub(crate) resumed: Resumed,
}

impl Calling {
    /// The time that a tool may take for a request.
    pub(crate) fn timeout_of(tool: &Tool, planned: &Planned) -> Duration {
        let requested = planned.timeout.map(Millis::duration);
        requested.map_or(tool.timeout, |requested| requested.min(tool.timeout))
    }

    /// Waits until the call should stop.
    pub(super) async fn aborted(&self) -> AbortReason {
        loop {
            if let Some(reason) = self.control.aborted() {
                return reason;
            }
            // Progress reports wake this as well.
            self.control.changed().await;
        }
    }
}
