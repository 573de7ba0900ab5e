//! The line that says that a service is ready.

use std::io::{self, Write as _};

use serde::Serialize;

/// What every service says, and what this kind adds.
#[derive(Serialize)]
struct Ready<'r, T> {
    ready: bool,
    kind: &'r str,
    url: &'r str,
    #[serde(flatten)]
    more: &'r T,
}

/// Writes the one line of JSON on standard output, at once. From now on the service answers at `url`.
///
/// # Errors
///
/// If standard output cannot be written.
pub fn announce(kind: &str, url: &str, more: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Ready { ready: true, kind, url, more })?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}
