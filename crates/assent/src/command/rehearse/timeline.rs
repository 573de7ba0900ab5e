//! Prints the timeline of a call, stage by stage.

use std::io::{self, Write};

use anstyle::Style;
use assent_rehearsal::{Moment, MomentKind, Timeline};
use assent_runtime::Stage;

use crate::output::{BAD, CAREFUL, GOOD, QUIET, STRONG, visible};

/// Prints a timeline. The time and the stage are printed only where they change.
pub(super) fn print(out: &mut dyn Write, id: &str, timeline: &Timeline) -> io::Result<()> {
    let kind = MomentKind::of(timeline.status);
    let (style, mark) = (style(kind), if kind == MomentKind::Good { "✓" } else { "✗" });
    let (id, requested) = (visible(id), visible(&timeline.requested));
    writeln!(
        out,
        "{style}{mark}{style:#} {STRONG}{id}{STRONG:#}  {requested}  {style}{}{style:#}  {QUIET}{}{QUIET:#}",
        timeline.status, timeline.invocation
    )?;
    let mut before = None;
    for moment in &timeline.moments {
        print_moment(out, moment, before)?;
        before = Some(moment);
    }
    writeln!(out)
}

fn print_moment(out: &mut dyn Write, moment: &Moment, before: Option<&Moment>) -> io::Result<()> {
    let is_later = before.is_none_or(|before| before.at_ms != moment.at_ms);
    let is_elsewhere = before.is_none_or(|before| before.stage != moment.stage);
    let time = if is_later { format!("{} ms", moment.at_ms) } else { String::new() };
    let stage = if is_later || is_elsewhere { name(moment.stage) } else { "" };
    let style = style(moment.kind);
    let (what, detail) = (visible(&moment.what), visible(&moment.detail));
    writeln!(out, "  {QUIET}{time:>10}  {stage:<10}{QUIET:#}  {style}{what:<9}{style:#}  {detail}")
}

/// The short names of the stages, as in the files of the pipeline.
fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Resolve => "resolve",
        Stage::Deferral => "deferral",
        Stage::Parse => "parse",
        Stage::Validate => "validate",
        Stage::Observe => "observe",
        Stage::PreHooks => "pre_hooks",
        Stage::Permission => "permission",
        Stage::Schedule => "schedule",
        Stage::Execute => "execute",
        Stage::MapResult => "map_result",
        Stage::PostHooks => "post_hooks",
        Stage::Persist => "persist",
        Stage::Emit => "emit",
    }
}

fn style(kind: MomentKind) -> Style {
    match kind {
        MomentKind::Step => Style::new(),
        MomentKind::Good => GOOD,
        MomentKind::Careful => CAREFUL,
        MomentKind::Bad => BAD,
    }
}
