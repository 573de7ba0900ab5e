//! `assent manifest explain CODE`

use std::io::{self, Write};

use crate::{
    exit::Exit,
    output::{self, BAD, QUIET, STRONG},
};

/// A page of the documentation.
struct Page {
    name: &'static str,
    kind: PageKind,
    text: &'static str,
}

/// The subject of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageKind {
    Error,
    Rule,
}

mod pages {
    use super::{Page, PageKind};

    include!(concat!(env!("OUT_DIR"), "/pages.rs"));
}

pub(super) fn run(code: Option<&str>, as_json: bool) -> Exit {
    let Some(code) = code else { return list(as_json) };
    let same = |page: &&Page| normal(page.name) == normal(code);
    match pages::PAGES.iter().find(same) {
        Some(page) => explain(page, as_json),
        None => unknown(code, as_json),
    }
}

fn explain(page: &Page, as_json: bool) -> Exit {
    if as_json {
        let kind = match page.kind {
            PageKind::Error => "error",
            PageKind::Rule => "rule",
        };
        let page = serde_json::json!({"code": page.name, "kind": kind, "text": page.text});
        return output::json(Exit::AsAsked, &page);
    }
    output::report(Exit::AsAsked, |out| print_markdown(out, page.text))
}

/// Prints headings and code in bold, and everything else as it is.
fn print_markdown(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            writeln!(out, "    {QUIET}{line}{QUIET:#}")?;
        } else if let Some(heading) = line.strip_prefix('#') {
            writeln!(out, "{STRONG}{}{STRONG:#}", heading.trim_start_matches('#').trim())?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn list(as_json: bool) -> Exit {
    let names = |kind| -> Vec<&str> {
        let pages = pages::PAGES.iter().filter(|page| page.kind == kind);
        pages.map(|page| page.name).collect()
    };
    let (errors, rules) = (names(PageKind::Error), names(PageKind::Rule));
    if as_json {
        return output::json(Exit::AsAsked, &serde_json::json!({"errors": errors, "rules": rules}));
    }
    output::report(Exit::AsAsked, |out| {
        for (title, names) in [("Error codes", errors), ("Rules of diff", rules)] {
            writeln!(out, "{STRONG}{title}{STRONG:#}")?;
            for name in names {
                writeln!(out, "  {name}")?;
            }
        }
        Ok(())
    })
}

fn unknown(code: &str, as_json: bool) -> Exit {
    let near = nearest(code);
    let message = match near {
        Some(near) => format!("there is no `{}`; did you mean `{near}`?", output::visible(code)),
        None => format!(
            "there is no `{}`; `assent manifest explain` lists all codes and rules",
            output::visible(code)
        ),
    };
    if as_json {
        let error = serde_json::json!({"error": {"code": "UNKNOWN_CODE", "message": message}});
        return output::json(Exit::WrongUse, &error);
    }
    output::complain(Exit::WrongUse, |out| writeln!(out, "{BAD}error{BAD:#}: {message}"))
}

/// Returns the page whose name shares the longest prefix with `code`, if that is long enough.
fn nearest(code: &str) -> Option<&'static str> {
    let code = normal(code);
    let shared =
        |name: &str| code.chars().zip(normal(name).chars()).take_while(|(a, b)| a == b).count();
    let best = pages::PAGES.iter().max_by_key(|page| shared(page.name))?;
    (shared(best.name) >= 4).then_some(best.name)
}

/// `Bad-Semver` is `BAD_SEMVER`.
fn normal(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}
