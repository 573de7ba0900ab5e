//! `assent manifest check FILE`

use std::io::{self, Write};

use assent_manifest::{CheckOptions, Finding, MAX_MANIFEST_BYTES, Report};
use serde::Serialize;

use super::findings::{self, Level};
use crate::{
    cli,
    exit::Exit,
    input::{self, Input},
    output::{self, BAD, GOOD, QUIET, STRONG, visible},
};

pub(super) fn run(arguments: &cli::Check) -> Exit {
    let as_json = arguments.format.json;
    let input = match input::read(&arguments.file.file) {
        Ok(input) => input,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let options = CheckOptions { rules: arguments.rules.rules.into(), ..CheckOptions::default() };
    let report = assent_manifest::check(&input.bytes, options);
    let exit = if report.is_valid() { Exit::AsAsked } else { Exit::Bad };
    if as_json {
        output::json(exit, &ReportJson::of(&report))
    } else {
        output::report(exit, |out| print(out, &input, &report))
    }
}

/// Reports what is wrong with a manifest, if anything is.
pub(in crate::command) fn require_valid(input: &Input, as_json: bool) -> Result<(), Exit> {
    let report = assent_manifest::check(&input.bytes, CheckOptions::default());
    if report.is_valid() {
        return Ok(());
    }
    let exit = output::complain(Exit::Bad, |out| print(out, input, &report));
    if as_json {
        output::json(exit, &ReportJson::of(&report));
    }
    Err(exit)
}

/// The report as the contract writes it.
#[derive(Serialize)]
struct ReportJson<'r> {
    valid: bool,
    hash: Option<String>,
    size_bytes: usize,
    errors: &'r [Finding],
    warnings: &'r [Finding],
}

impl<'r> ReportJson<'r> {
    fn of(report: &'r Report) -> Self {
        Self {
            valid: report.is_valid(),
            hash: report.hash.map(|hash| hash.to_string()),
            size_bytes: report.size_bytes,
            errors: &report.errors,
            warnings: &report.warnings,
        }
    }
}

fn print(out: &mut dyn Write, input: &Input, report: &Report) -> io::Result<()> {
    findings::print(out, input, Level::Error, &report.errors)?;
    findings::print(out, input, Level::Warning, &report.warnings)?;
    let name = visible(&input.name);
    let warnings = counted(report.warnings.len(), "warning");
    if report.is_valid() {
        writeln!(out, "{GOOD}✓{GOOD:#} {STRONG}{name}{STRONG:#} is valid, with {warnings}")?;
    } else {
        let errors = counted(report.errors.len(), "error");
        writeln!(out, "{BAD}✗{BAD:#} {STRONG}{name}{STRONG:#} has {errors} and {warnings}")?;
    }
    if let Some(hash) = report.hash {
        let percent = report.size_bytes * 100 / MAX_MANIFEST_BYTES;
        writeln!(out, "  {QUIET}hash{QUIET:#}  {hash}")?;
        writeln!(
            out,
            "  {QUIET}size{QUIET:#}  {} bytes in canonical form, {percent} % of what is allowed",
            report.size_bytes
        )?;
    }
    let all: Vec<_> = report.errors.iter().chain(&report.warnings).collect();
    findings::print_help(out, &all)
}

fn counted(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        more => format!("{more} {what}s"),
    }
}
