//! Prints the hits of a search for tools.

use std::io::{self, Write};

use assent_protocol::agent_tool::{SearchMatch, ToolSearchResult};

use crate::output::{BAD, GOOD, QUIET, STRONG, visible};

/// Prints the hits, best first, with their reasons; or advice if there are none.
pub(super) fn print(out: &mut dyn Write, found: &ToolSearchResult) -> io::Result<()> {
    let (style, mark) = if found.matches.is_empty() { (BAD, "✗") } else { (GOOD, "✓") };
    let count = match found.matches.len() {
        1 => "1 tool".to_owned(),
        more => format!("{more} tools"),
    };
    let query = visible(&found.query);
    writeln!(out, "{style}{mark}{style:#} {STRONG}search{STRONG:#}  {query}  {count}")?;
    for (number, one) in found.matches.iter().enumerate() {
        print_match(out, number + 1, one)?;
    }
    let lists =
        [("not there", &found.missing_names), ("still connecting", &found.pending_providers)];
    for (what, names) in lists {
        for name in names.iter().flatten() {
            writeln!(out, "      {what}: {}", visible(name))?;
        }
    }
    if let Some(next) = found.next_action.as_deref().filter(|_| found.matches.is_empty()) {
        writeln!(out, "      {}", visible(next))?;
    }
    writeln!(out)
}

fn print_match(out: &mut dyn Write, number: usize, one: &SearchMatch) -> io::Result<()> {
    let tool = visible(one.tool_id().as_str());
    let (score, reasons) = match one {
        SearchMatch::Scored(scored) => (
            scored.score.as_ref().and_then(|score| score.as_f64()),
            scored.reasons.as_deref().unwrap_or_default().join(", "),
        ),
        SearchMatch::Id(_) => (None, String::new()),
    };
    let score = score.map(|score| format!("  {score:.2}")).unwrap_or_default();
    writeln!(out, "  {number:>4}. {tool}{score}  {QUIET}{}{QUIET:#}", visible(&reasons))
}
