//! `assent audit replay JOURNAL --rules FILE`

use std::{
    io::{self, Write},
    path::Path,
};

use assent_document::{Format, Kind, Node};
use assent_ids::InvocationId;
use assent_policy::{Decision, Policy, Reason};
use assent_protocol::{agent_tool::Behavior, wire::Timestamp};
use assent_runtime::replay::{History, Past};
use serde::Serialize;

use crate::{
    cli::Replay,
    exit::Exit,
    input::{self, Unreadable},
    output::{self, BAD, CAREFUL, GOOD, QUIET, STRONG, visible},
};

#[derive(Debug, Default, Serialize)]
struct Report {
    /// Decisions that were made again.
    replayed: u64,
    flips: Vec<Flip>,
    /// Decisions that rest on a grant.
    resting_on_grants: u64,
    /// Replayed decisions about arguments with values that the journal hides.
    with_hidden_values: u64,
}

/// A decision that would change.
#[derive(Debug, Serialize)]
struct Flip {
    invocation: InvocationId,
    at: Timestamp,
    tool: String,
    before: Behavior,
    before_reason: Option<String>,
    after: Behavior,
    after_reason: Option<String>,
    has_hidden_values: bool,
}

pub(super) fn run(arguments: &Replay) -> Result<Exit, Exit> {
    let as_json = arguments.format.json;
    let policy = policy(&arguments.rules).map_err(|error| output::unreadable(&error, as_json))?;
    let source = super::open(&arguments.journal, as_json)?;
    let (mut report, mut history) = (Report::default(), History::default());
    let read = source.each(|entry| {
        if let Some(past) = history.learn(entry) {
            report.add(&past, &policy);
        }
    });
    super::wait(read, as_json)?;
    let exit = if report.flips.is_empty() { Exit::AsAsked } else { Exit::Bad };
    Ok(if as_json {
        output::json(exit, &report)
    } else {
        output::report(exit, |out| print(out, &report))
    })
}

impl Report {
    fn add(&mut self, past: &Past, policy: &Policy) {
        if past.rests_on_grant {
            self.resting_on_grants += 1;
            return;
        }
        self.replayed += 1;
        self.with_hidden_values += u64::from(past.has_hidden_values);
        let verdict = past.put_to(policy);
        if verdict.decision != past.decision {
            self.flips.push(Flip {
                invocation: past.invocation,
                at: past.at.into(),
                tool: past.tool.to_string(),
                before: past.decision.behavior(),
                before_reason: past.reason.clone(),
                after: verdict.decision.behavior(),
                after_reason: verdict.decisive().map(Reason::line),
                has_hidden_values: past.has_hidden_values,
            });
        }
    }
}

/// Reads the rules of a file: a list of rules, or a document with `rules` such as a rehearsal.
fn policy(file: &Path) -> Result<Policy, Unreadable> {
    let read = input::read(file)?;
    let format = Format::of(&read.name, &read.bytes);
    let policy = assent_document::read(&read.bytes, format, policy_of);
    policy.map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let problems = problems.join("; ");
        Unreadable { message: format!("the rules in {} cannot be used: {problems}", read.name) }
    })
}

fn policy_of(node: &Node<'_>) -> Option<Policy> {
    // Without the policies, other rules than those of the file would be replayed.
    if let Some(policies) = node.member("policies") {
        policies.problem(
            "decisions cannot be put to Cedar policies: leave out `policies` to ask what its \
             `rules` alone would decide",
        );
        return None;
    }
    let rules = match node.kind() {
        Kind::Object => node.member("rules"),
        _ => Some(node.clone()),
    };
    let Some(rules) = rules else {
        node.problem("there is nothing under `rules`");
        return None;
    };
    Policy::from_rules(node, &assent_policy::read_rules(&rules)?)
}

fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for flip in &report.flips {
        print_flip(out, flip)?;
    }
    let Report { replayed, flips, resting_on_grants, with_hidden_values } = report;
    let (mark, style) = if flips.is_empty() { ("✓", GOOD) } else { ("✗", BAD) };
    let count = flips.len();
    writeln!(
        out,
        "{style}{mark}{style:#} {STRONG}{count}{STRONG:#} of {replayed} decisions would change"
    )?;
    if *resting_on_grants > 0 {
        writeln!(
            out,
            "{QUIET}left out, because they rest on a grant: {resting_on_grants}{QUIET:#}"
        )?;
    }
    if *with_hidden_values > 0 {
        let text = "about arguments with hidden values, which rules cannot check";
        writeln!(out, "{QUIET}{text}: {with_hidden_values}{QUIET:#}")?;
    }
    Ok(())
}

fn print_flip(out: &mut dyn Write, flip: &Flip) -> io::Result<()> {
    let Flip { invocation, at, before, after, .. } = flip;
    let loosens = Decision::of(*after) < Decision::of(*before);
    let style = if loosens { BAD } else { CAREFUL };
    let tool = visible(&flip.tool);
    let hidden = if flip.has_hidden_values { " ?" } else { "" };
    writeln!(
        out,
        "{QUIET}{at}{QUIET:#}  {invocation}  {style}{before} → {after}{style:#}{hidden}  {tool}"
    )?;
    for (when, reason) in [("was", &flip.before_reason), ("now", &flip.after_reason)] {
        let reason = reason.as_deref().unwrap_or("no rule applies");
        writeln!(out, "    {QUIET}{when}: {}{QUIET:#}", visible(reason))?;
    }
    Ok(())
}
