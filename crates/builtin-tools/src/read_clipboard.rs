//! `read_clipboard`: known by name, so that agents learn that this device cannot do it.

use assent_json::Json;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Call, Execution, Executor, Refusal};

use crate::{BuiltinTool, arguments::failure};

/// The tool `read_clipboard`. This device has no access to a clipboard: every call is refused with
/// `capability_gap`, before a person is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadClipboard;

fn refusal() -> Refusal {
    let message = "this device has no access to a clipboard".to_owned();
    Refusal { class: ErrorClass::CapabilityGap, message }
}

impl Executor for ReadClipboard {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(async { Err(failure(refusal())) })
    }

    fn preflight(&self, _input: &Json) -> Result<(), Refusal> {
        Err(refusal())
    }
}

impl BuiltinTool for ReadClipboard {}
