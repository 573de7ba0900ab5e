//! `assent manifest …`, for authors of agents and for their CI.

mod canonicalize;
mod changes;
mod check;
mod compare_schemas;
mod diff;
mod explain;
mod findings;
mod hash;
mod init;
mod push;

pub(super) use self::check::require_valid;
use crate::{cli::Manifest, exit::Exit};

pub(super) fn run(command: Manifest) -> Exit {
    match command {
        Manifest::Check(arguments) => check::run(&arguments),
        Manifest::Canonicalize { file } => canonicalize::run(&file.file),
        Manifest::Hash { file, format } => hash::run(&file.file, format.json),
        Manifest::Diff(arguments) => diff::run(&arguments),
        Manifest::CompareSchemas { old, new, format } => {
            compare_schemas::run(&old, &new, format.json)
        }
        Manifest::Explain { code, format } => explain::run(code.as_deref(), format.json),
        Manifest::Push(arguments) => push::run(&arguments),
        Manifest::Init => init::run(),
    }
}
