//! `assent manifest hash FILE`

use std::path::Path;

use assent_json::Digest;

use super::findings::{self, Level};
use crate::{exit::Exit, input, output};

pub(super) fn run(path: &Path, as_json: bool) -> Exit {
    let input = match input::read(path) {
        Ok(input) => input,
        Err(error) => return output::unreadable(&error, as_json),
    };
    match assent_json::canonicalize(&input.bytes) {
        Ok(canonical) => {
            let hash = Digest::of(&canonical).to_string();
            if as_json {
                let report = serde_json::json!({"hash": hash, "size_bytes": canonical.len()});
                output::json(Exit::AsAsked, &report)
            } else {
                output::raw(format!("{hash}\n").as_bytes())
            }
        }
        Err(error) => {
            let finding = findings::of_read_error(&error);
            if as_json {
                output::json(Exit::Bad, &serde_json::json!({ "error": finding }))
            } else {
                output::complain(Exit::Bad, |out| {
                    findings::print(out, &input, Level::Error, &[finding])
                })
            }
        }
    }
}
