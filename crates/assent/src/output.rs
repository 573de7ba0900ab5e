//! Printing: reports for people, JSON for machines.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
pub(crate) use assent_json::visible;
use serde::Serialize;

use crate::{exit::Exit, input::Unreadable};

pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const CAREFUL: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const STRONG: Style = Style::new().bold();

/// Prints with `print`, in colour if standard output is a terminal, and ends with `exit`.
///
/// A reader that has gone away, such as `head`, has seen what it wanted.
pub(crate) fn report(exit: Exit, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Exit {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    finish(exit, print(&mut out).and_then(|()| out.flush()))
}

/// As [`report`], to standard error.
pub(crate) fn complain(exit: Exit, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Exit {
    let mut out = anstream::AutoStream::auto(io::stderr().lock());
    finish(exit, print(&mut out).and_then(|()| out.flush()))
}

/// Prints bytes as they are.
pub(crate) fn raw(bytes: &[u8]) -> Exit {
    let mut out = io::stdout().lock();
    finish(Exit::AsAsked, out.write_all(bytes).and_then(|()| out.flush()))
}

/// Prints one line of JSON.
pub(crate) fn json(exit: Exit, value: &impl Serialize) -> Exit {
    let mut out = io::stdout().lock();
    let written = serde_json::to_writer(&mut out, value).map_err(io::Error::from);
    finish(exit, written.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()))
}

/// Says that a document cannot be read.
pub(crate) fn unreadable(error: &Unreadable, as_json: bool) -> Exit {
    failed(Exit::WrongUse, "INPUT_UNREADABLE", &error.message, as_json)
}

/// Says that a command cannot do what it was asked with what it was given.
pub(crate) fn misused(message: &str, as_json: bool) -> Exit {
    failed(Exit::WrongUse, "WRONG_USE", message, as_json)
}

/// Says why there is no answer: to people on standard error, to machines on standard output.
pub(crate) fn failed(exit: Exit, code: &str, message: &str, as_json: bool) -> Exit {
    if as_json {
        let error = serde_json::json!({"error": {"code": code, "message": message}});
        return json(exit, &error);
    }
    complain(exit, |out| writeln!(out, "{BAD}error{BAD:#}: {}", visible(message)))
}

fn finish(exit: Exit, written: io::Result<()>) -> Exit {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::WrongUse,
        _ => exit,
    }
}
