//! `assent serve --check-config`

use std::io::{self, Write};

use assent_relay::{BusError, OpenError, Reached, Server};
use assent_service::settings::{Count, Origin, Shown};

use super::settings::Configured;
use crate::{
    exit::Exit,
    output::{self, BAD, GOOD, QUIET, visible},
};

/// Prints the effective settings as a settings file, and whether the database and the bus can be used.
pub(super) fn run(configured: &Configured) -> Exit {
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return output::complain(Exit::Bad, |out| writeln!(out, "{error}")),
    };
    let reached = runtime.block_on(Server::check(&configured.relay));
    let bus = runtime.block_on(Server::check_bus(&configured.relay));
    let exit = if reached.is_ok() && bus.is_ok() { Exit::AsAsked } else { Exit::Bad };
    let printed = output::report(exit, |out| settings(out, &configured.shown));
    match printed {
        Exit::WrongUse => printed,
        _ => output::complain(exit, |out| {
            database(out, &reached)?;
            print_bus(out, &bus)
        }),
    }
}

fn settings(out: &mut dyn Write, shown: &[Shown]) -> io::Result<()> {
    let mut table = "";
    // TOML requires keys without a table to come first.
    let (inside, outside): (Vec<&Shown>, Vec<&Shown>) =
        shown.iter().partition(|shown| shown.name.contains('.'));
    for shown in outside.into_iter().chain(inside) {
        let (group, name) = shown.name.split_once('.').unwrap_or(("", shown.name));
        if group != table {
            writeln!(out, "\n[{group}]")?;
            table = group;
        }
        let values: Vec<String> = shown.values.iter().map(|value| quoted(value)).collect();
        let value = match shown.count {
            Count::One => values.join(""),
            Count::Many => format!("[{}]", values.join(", ")),
        };
        writeln!(out, "{name} = {value}  {QUIET}# {}{QUIET:#}", said_by(&shown.origin))?;
    }
    Ok(())
}

/// Writes a TOML string: the escapes of JSON are valid in TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn said_by(origin: &Origin) -> String {
    match origin {
        Origin::Flag => "a flag".to_owned(),
        Origin::Variable => "a variable".to_owned(),
        Origin::File(file, line) => visible(&format!("{file}:{line}")),
        Origin::Default => "default".to_owned(),
    }
}

fn print_bus(out: &mut dyn Write, bus: &Result<bool, BusError>) -> io::Result<()> {
    match bus {
        Ok(false) => Ok(()),
        Ok(true) => writeln!(out, "{GOOD}✓{GOOD:#} the bus answers"),
        Err(error) => writeln!(out, "{BAD}✗{BAD:#} {}", visible(&error.to_string())),
    }
}

fn database(out: &mut dyn Write, reached: &Result<Reached, OpenError>) -> io::Result<()> {
    match reached {
        Ok(Reached::Empty) => {
            writeln!(out, "{GOOD}✓{GOOD:#} the database can be used; it will be made")
        }
        Ok(Reached::Version { version, newest }) if version == newest => {
            writeln!(out, "{GOOD}✓{GOOD:#} the database can be used; it has version {version}")
        }
        Ok(Reached::Version { version, newest }) => writeln!(
            out,
            "{GOOD}✓{GOOD:#} the database can be used; version {version} will become {newest}"
        ),
        Err(error) => writeln!(out, "{BAD}✗{BAD:#} {}", visible(&error.to_string())),
    }
}
