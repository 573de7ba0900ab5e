//! `assent demo`

mod person;
mod scene;
mod script;

use std::{io, path::PathBuf};

use tempfile::TempDir;

use self::scene::Scene;
use crate::{
    cli,
    exit::Exit,
    output::{failed, json},
};

pub(super) fn run(arguments: &cli::Demo) -> Exit {
    let (directory, _temporary) = match directory(arguments.data.clone()) {
        Ok(directory) => directory,
        Err(error) => return failed(Exit::WrongUse, "WRONG_USE", &error.to_string(), true),
    };
    let runtime = match assent_service::runtime() {
        Ok(runtime) => runtime,
        Err(error) => return failed(Exit::Bad, "DEMO_FAILED", &error.to_string(), true),
    };
    runtime.block_on(async {
        let scene = match Scene::set_up(&directory).await {
            Ok(scene) => scene,
            Err(error) => return failed(Exit::Bad, "DEMO_FAILED", &error.to_string(), true),
        };
        let ok = script::run(&scene).await;
        scene.end().await;
        let exit = if ok { Exit::AsAsked } else { Exit::Bad };
        json(exit, &serde_json::json!({ "done": true, "ok": ok }))
    })
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
