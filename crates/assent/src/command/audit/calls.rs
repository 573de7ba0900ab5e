//! `assent audit calls JOURNAL`

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use anstyle::Style;
use assent_ids::InvocationId;
use assent_journal::{Draft, Entry, Fact};
use assent_protocol::{
    agent_tool::{Behavior, InvocationStatus},
    wire::Timestamp,
};
use serde::Serialize;

use crate::{
    cli::Calls,
    exit::Exit,
    output::{self, BAD, CAREFUL, GOOD, QUIET, visible},
};

/// A call in the list.
#[derive(Debug, Serialize)]
struct Call {
    invocation: InvocationId,
    at: Timestamp,
    tool: String,
    status: InvocationStatus,
    decision: Option<Behavior>,
    message: Option<String>,
}

pub(super) fn run(arguments: &Calls) -> Result<Exit, Exit> {
    let as_json = arguments.format.json;
    let source = super::open(&arguments.journal, as_json)?;
    let mut listing = Listing { arguments, open: BTreeMap::new(), wanted: BTreeMap::new() };
    super::wait(source.each(|entry| listing.learn(entry)), as_json)?;
    let calls = listing.newest();
    Ok(if as_json {
        output::json(Exit::AsAsked, &calls)
    } else {
        output::report(Exit::AsAsked, |out| calls.iter().try_for_each(|call| print(out, call)))
    })
}

/// The calls of a journal so far. Ids sort by time.
struct Listing<'a> {
    arguments: &'a Calls,
    /// Calls that have not ended: it is not known yet whether they are wanted.
    open: BTreeMap<InvocationId, Call>,
    /// The newest wanted calls; at the end also those that have not ended.
    wanted: BTreeMap<InvocationId, Call>,
}

impl Listing<'_> {
    fn learn(&mut self, entry: &Entry) {
        let Draft { at, invocation, fact, .. } = &entry.draft;
        let Some(invocation) = *invocation else { return };
        if let Fact::Planned(planned) = fact {
            let call = Call {
                invocation,
                at: (*at).into(),
                tool: planned.requested.to_string(),
                status: InvocationStatus::Planned,
                decision: None,
                message: None,
            };
            self.open.insert(invocation, call);
        }
        let Some(call) = self.open.get_mut(&invocation) else { return };
        match fact {
            Fact::Selected(selected) => {
                call.status = InvocationStatus::Selected;
                selected.tool.as_str().clone_into(&mut call.tool);
            }
            Fact::Moved(status) => call.status = *status,
            Fact::Decided(decided) => {
                call.decision = Some(decided.behavior);
                call.message = decided.message.as_ref().map(ToString::to_string);
            }
            Fact::Ended(_) => {
                let ended = self.open.remove(&invocation);
                self.keep(ended);
            }
            _ => {}
        }
    }

    /// Keeps the newest wanted calls.
    fn keep(&mut self, calls: impl IntoIterator<Item = Call>) {
        for call in calls {
            if self.is_wanted(&call) {
                self.wanted.insert(call.invocation, call);
            }
            if self.wanted.len() > self.arguments.limit {
                self.wanted.pop_first();
            }
        }
    }

    fn is_wanted(&self, call: &Call) -> bool {
        let tool = self.arguments.tool.as_ref().is_none_or(|word| call.tool.contains(word));
        tool && !(self.arguments.failed && call.status == InvocationStatus::Succeeded)
    }

    fn newest(mut self) -> Vec<Call> {
        let open = std::mem::take(&mut self.open);
        self.keep(open.into_values());
        self.wanted.into_values().collect()
    }
}

fn print(out: &mut dyn Write, call: &Call) -> io::Result<()> {
    let style = style(call.status);
    let (at, status, id) = (&call.at, call.status.as_str(), call.invocation);
    let tool = visible(&call.tool);
    write!(out, "{QUIET}{at}{QUIET:#}  {id}  {style}{status:<12}{style:#}  {tool}")?;
    match &call.message {
        Some(message) => writeln!(out, "  {QUIET}{}{QUIET:#}", visible(message)),
        None => writeln!(out),
    }
}

fn style(status: InvocationStatus) -> Style {
    match status {
        InvocationStatus::Succeeded => GOOD,
        status if status.is_terminal() => BAD,
        _ => CAREFUL,
    }
}
