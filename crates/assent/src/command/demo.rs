//! `assent demo`

mod helper;
mod manifests;
mod open_browser;
mod page;
mod person;
mod scene;
mod script;
mod serve;
mod texts;

use std::{io, path::PathBuf};

use tempfile::TempDir;

use crate::{cli, exit::Exit, output::failed};

pub(super) fn run(arguments: &cli::Demo) -> Exit {
    let as_json = arguments.script;
    let (directory, _temporary) = match directory(arguments.data.clone()) {
        Ok(directory) => directory,
        Err(error) => return failed(Exit::WrongUse, "WRONG_USE", &error.to_string(), as_json),
    };
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return failed(Exit::Bad, "DEMO_FAILED", &error.to_string(), as_json),
    };
    let outcome = runtime.block_on(async {
        if arguments.script {
            script::run(&directory).await
        } else {
            serve::run(arguments, &directory).await
        }
    });
    outcome.unwrap_or_else(|error| failed(Exit::Bad, "DEMO_FAILED", &error.to_string(), as_json))
}

/// The directory of the demo, and what removes it if it is temporary.
fn directory(data: Option<PathBuf>) -> io::Result<(PathBuf, Option<TempDir>)> {
    let Some(data) = data else {
        let temporary = tempfile::tempdir()?;
        return Ok((temporary.path().to_owned(), Some(temporary)));
    };
    std::fs::create_dir_all(&data)?;
    if std::fs::read_dir(&data)?.next().is_some() {
        let message = format!("`{}` is not empty", data.display());
        return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, message));
    }
    Ok((data, None))
}
