//! Passwords: from a variable, a file or the terminal, but never from the command line, which other users can read.

use std::{
    fs,
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    path::Path,
};

use assent_relay_api::value::Secret;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

/// The variable with the password.
const VARIABLE: &str = "ASSENT_ACCOUNT_PASSWORD";

/// Reads the password of an account: from `file`, else from the variable, else from the terminal.
pub(crate) fn read(file: Option<&Path>) -> Result<Secret, String> {
    if let Some(file) = file {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("`{}` cannot be read: {error}", file.display()))?;
        return Ok(Secret::from(text.trim_end_matches(['\r', '\n']).to_owned()));
    }
    if let Ok(password) = std::env::var(VARIABLE) {
        return Ok(Secret::from(password));
    }
    if !io::stdin().is_terminal() {
        return Err(format!("there is no password: set {VARIABLE}, or use --password-file"));
    }
    ask().map_err(|error| format!("the password cannot be read from the terminal: {error}"))
}

/// Asks on the terminal, which does not show what is typed.
fn ask() -> io::Result<Secret> {
    let stdin = io::stdin();
    let shown = tcgetattr(&stdin)?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    let mut prompt = io::stderr();
    prompt.write_all(b"Password: ")?;
    prompt.flush()?;
    tcsetattr(&stdin, OptionalActions::Flush, &hidden)?;
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    tcsetattr(&stdin, OptionalActions::Now, &shown)?;
    prompt.write_all(b"\n")?;
    read?;
    Ok(Secret::from(line.trim_end_matches(['\r', '\n']).to_owned()))
}
