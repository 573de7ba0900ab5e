//! Output: reports for people, JSON for programs.

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

/// Runs `print` on standard output, with colors if it is a terminal, and returns `exit`.
///
/// A reader that closes the pipe early, such as `head`, is not an error.
pub(crate) fn report(exit: Exit, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Exit {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    finish(exit, print(&mut out).and_then(|()| out.flush()))
}

/// Like [`report`], on standard error.
pub(crate) fn complain(exit: Exit, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Exit {
    let mut out = anstream::AutoStream::auto(io::stderr().lock());
    finish(exit, print(&mut out).and_then(|()| out.flush()))
}

/// Prints bytes unchanged.
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

/// Reports that a document cannot be read.
pub(crate) fn unreadable(error: &Unreadable, as_json: bool) -> Exit {
    failed(Exit::WrongUse, "INPUT_UNREADABLE", &error.message, as_json)
}

/// Reports that the arguments of a command are wrong.
pub(crate) fn misused(message: &str, as_json: bool) -> Exit {
    failed(Exit::WrongUse, "WRONG_USE", message, as_json)
}

/// Reports an error on standard error and, with `--json`, also as an object on standard output.
pub(crate) fn failed(exit: Exit, code: &str, message: &str, as_json: bool) -> Exit {
    let exit = complain(exit, |out| writeln!(out, "{BAD}error{BAD:#}: {}", visible(message)));
    if as_json {
        return json(exit, &serde_json::json!({"error": {"code": code, "message": message}}));
    }
    exit
}

fn finish(exit: Exit, written: io::Result<()>) -> Exit {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Exit::WrongUse,
        _ => exit,
    }
}
