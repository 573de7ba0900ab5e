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

use super::source::Source;
use crate::{
    cli::Calls,
    exit::Exit,
    input::Unreadable,
    output::{self, BAD, CAREFUL, GOOD, QUIET, visible},
    remote,
};

/// What is told about a call.
#[derive(Debug, Serialize)]
struct Call {
    invocation: InvocationId,
    at: Timestamp,
    tool: String,
    status: InvocationStatus,
    decision: Option<Behavior>,
    message: Option<String>,
}

pub(super) fn run(arguments: &Calls) -> Exit {
    let as_json = arguments.format.json;
    let source = match Source::open(&arguments.journal.path) {
        Ok(source) => source,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let mut listing = Listing { arguments, calls: BTreeMap::new() };
    match remote::wait(source.each(|entry| listing.learn(entry))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return super::unreadable(&error, as_json),
        Err(error) => {
            return output::unreadable(&Unreadable { message: error.to_string() }, as_json);
        }
    }
    let calls = listing.newest();
    if as_json {
        return output::json(Exit::AsAsked, &calls);
    }
    output::report(Exit::AsAsked, |out| calls.iter().try_for_each(|call| print(out, call)))
}

/// The calls that are wanted, as they are known so far. Ids sort by time.
struct Listing<'a> {
    arguments: &'a Calls,
    calls: BTreeMap<InvocationId, Call>,
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
            self.calls.insert(invocation, call);
        }
        let Some(call) = self.calls.get_mut(&invocation) else { return };
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
            Fact::Ended(_) => self.settle(invocation),
            _ => {}
        }
    }

    /// A call that has ended is kept only if it is to be told, and so many of them that the newest are.
    fn settle(&mut self, invocation: InvocationId) {
        if self.calls.get(&invocation).is_some_and(|call| !self.is_wanted(call)) {
            self.calls.remove(&invocation);
        }
        // Those that have not ended may still turn out not to be wanted, so there is room for as many.
        while self.calls.len() > self.arguments.limit.saturating_mul(2).max(1000) {
            self.calls.pop_first();
        }
    }

    fn is_wanted(&self, call: &Call) -> bool {
        let tool = self.arguments.tool.as_ref().is_none_or(|word| call.tool.contains(word));
        tool && !(self.arguments.failed && call.status == InvocationStatus::Succeeded)
    }

    fn newest(self) -> Vec<Call> {
        let Self { arguments, mut calls } = self;
        let listing = Listing { arguments, calls: BTreeMap::new() };
        calls.retain(|_, call| listing.is_wanted(call));
        let skipped = calls.len().saturating_sub(arguments.limit);
        calls.into_values().skip(skipped).collect()
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
