//! `assent manifest canonicalize FILE`

use std::path::Path;

use super::findings::{self, Level};
use crate::{exit::Exit, input, output};

pub(super) fn run(path: &Path) -> Exit {
    let input = match input::read(path) {
        Ok(input) => input,
        Err(error) => return output::unreadable(&error, false),
    };
    match assent_json::canonicalize(&input.bytes) {
        Ok(canonical) => output::raw(&canonical),
        Err(error) => output::complain(Exit::Bad, |out| {
            findings::print(out, &input, Level::Error, &[findings::of_read_error(&error)])
        }),
    }
}
