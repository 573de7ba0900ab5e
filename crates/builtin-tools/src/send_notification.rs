//! `send_notification`: shows a short text to the person.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use assent_ids::{Clock, UnixMillis};
use assent_json::{Json, shorten, visible};
use assent_protocol::agent_tool::{ErrorClass, RetryAfter};
use assent_runtime::{Body, Call, Execution, Executor, Failure, Output, Refusal};
use serde::Deserialize;
use serde_json::json;

use crate::{
    BuiltinTool,
    arguments::{self, failure, invalid},
};

/// The longest title, in characters.
const MAX_TITLE: usize = 120;

/// The longest body, in characters.
const MAX_BODY: usize = 1_000;

/// The longest name of an agent that is shown, in characters.
const MAX_NAME: usize = 60;

/// The most notifications of an agent within [`PERIOD`].
const MAX_PER_PERIOD: usize = 10;
const PERIOD: Duration = Duration::from_secs(60);

/// Shows notifications.
pub trait Notifier: Send + Sync {
    /// Shows a notification as plain text: nothing in it is markup. The title begins with the name of the agent,
    /// only the body has line breaks, and invisible characters are escaped. It must return soon. Returns how the
    /// text was shown; `None` if there is currently no way.
    fn notify(&self, title: &str, body: &str) -> Option<Channel>;
}

/// How a notification was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// By the desktop.
    Desktop,
    /// In an open console.
    Console,
    /// In a terminal.
    Terminal,
}

impl Channel {
    /// The word for it in results.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Console => "console",
            Self::Terminal => "terminal",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    title: String,
    #[serde(default)]
    body: String,
}

impl Arguments {
    fn read(input: &Json) -> Result<Self, Refusal> {
        let arguments: Self = arguments::read(input)?;
        if arguments.title.trim().is_empty() || arguments.title.chars().count() > MAX_TITLE {
            return Err(invalid(format!("`title` must have 1 to {MAX_TITLE} characters")));
        }
        if arguments.body.chars().count() > MAX_BODY {
            return Err(invalid(format!("`body` has more than {MAX_BODY} characters")));
        }
        Ok(arguments)
    }
}

/// The tool `send_notification` of one agent. It shows at most ten notifications per minute.
pub struct SendNotification {
    agent_name: String,
    notifier: Arc<dyn Notifier>,
    clock: Arc<dyn Clock>,
    /// The times of the latest notifications, oldest first.
    sent: Mutex<VecDeque<UnixMillis>>,
}

impl SendNotification {
    /// Creates the tool of the agent with this name.
    #[must_use]
    pub fn new(agent_name: &str, notifier: Arc<dyn Notifier>, clock: Arc<dyn Clock>) -> Self {
        let agent_name = visible(&shorten(agent_name, MAX_NAME));
        Self { agent_name, notifier, clock, sent: Mutex::default() }
    }

    /// Counts a notification, unless there were too many.
    fn count(&self) -> Result<(), Failure> {
        let now = self.clock.now();
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        while sent.front().is_some_and(|&oldest| oldest.after(PERIOD) <= now) {
            sent.pop_front();
        }
        if sent.len() >= MAX_PER_PERIOD {
            let message = format!("at most {MAX_PER_PERIOD} notifications are shown per minute");
            let retry_after =
                Some(RetryAfter::Seconds(assent_protocol::wire::Count(PERIOD.as_secs())));
            let limited = Failure::new(ErrorClass::RateLimited, message);
            return Err(Failure { retry_after, ..limited });
        }
        sent.push_back(now);
        Ok(())
    }

    fn send(&self, input: &Json) -> Result<Json, Failure> {
        let arguments = Arguments::read(input).map_err(failure)?;
        self.count()?;
        let title = format!("{}: {}", self.agent_name, visible(&arguments.title));
        let lines: Vec<String> = arguments.body.lines().map(visible).collect();
        let channel = self.notifier.notify(&title, &lines.join("\n")).ok_or_else(|| {
            let message = "the person has no console or terminal open that could show it";
            Failure::new(ErrorClass::CapabilityGap, message)
        })?;
        Json::from_value(&json!({"delivered": channel.as_str()}))
            .map_err(|_| Failure::new(ErrorClass::ExecutionFailed, "there is no result"))
    }
}

impl Executor for SendNotification {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async {
            let result = self.send(&call.input)?;
            Ok(Output { body: Body::Structured(result), ..Output::default() })
        })
    }

    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        Arguments::read(input).map(drop)
    }
}

impl BuiltinTool for SendNotification {}

#[cfg(test)]
mod tests;
