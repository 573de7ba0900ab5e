//! `assent agent run`

use std::path::Path;

use assent_agent::AgentDirectory;
use assent_document::Format;

use super::{Failure, connect, init, play, script};
use crate::{cli, exit::Exit, input, problems};

pub(super) async fn run(
    directory: &AgentDirectory,
    command: &cli::RunScript,
    as_json: bool,
) -> Result<Exit, Failure> {
    let file = &command.script;
    let input = input::read(file).map_err(|error| Failure::Unreadable(error.message))?;
    let format = Format::of(&input.name, &input.bytes);
    let script = match script::read(&input.bytes, format) {
        Ok(script) => script,
        Err(problems) => return Ok(problems::report(&input, problems.as_slice(), as_json)),
    };
    let folder = file.parent().unwrap_or(Path::new(""));
    let described = script.agent.as_ref();
    let manifest = described.and_then(|agent| agent.manifest.as_deref());
    let manifest = manifest
        .map(|manifest| init::read_manifest(&folder.join(manifest), as_json))
        .transpose()?;
    if directory.find()?.is_none()
        && let (Some(relay), Some(name)) =
            (&command.relay, described.and_then(|agent| agent.name.as_deref()))
    {
        let new = init::New { relay, name, manifest: manifest.clone(), owner: &command.owner };
        init::make(directory, new).await?;
    }
    let agent = connect(directory).await?;
    if let Some(manifest) = manifest {
        agent.publish(manifest.0).await?;
    }
    Ok(play::run(agent, script, file).await)
}
