//! `assent admin …`: manages the relay on this machine.

mod agents;
mod backup;
mod keys;
mod relations;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use assent_relay_client::{Client, ClientError, ClientOptions};
use serde::Serialize;

use crate::{
    cli::{Admin, AdminCommand},
    exit::Exit,
    output, remote,
};

/// Time limit of a call: a copy of a large database takes long.
const CALL_TIMEOUT: Duration = Duration::from_secs(6 * 60 * 60);

pub(super) fn run(arguments: &Admin) -> Exit {
    let as_json = arguments.format.json;
    let Some(data) = data(arguments) else {
        let message = "the environment does not tell where the relay is: say it with `--data DIR`";
        return output::misused(message, as_json);
    };
    let operator = Operator::new(&data, as_json);
    match &arguments.command {
        AdminCommand::Agents(command) => agents::run(&operator, command),
        AdminCommand::Relations(command) => relations::run(&operator, command),
        AdminCommand::Keys(command) => keys::run(&operator, command),
        AdminCommand::Backup { file } => backup::run(&operator, file),
    }
}

/// The data directory of the relay, which contains its socket.
fn data(arguments: &Admin) -> Option<PathBuf> {
    let environment = |name: &str| std::env::var_os(name);
    let said = arguments.data.clone();
    let said = said.or_else(|| environment("ASSENT_DATA").map(PathBuf::from));
    said.or_else(|| assent_service::data_directory("relay", &environment))
}

/// A client of the admin socket.
struct Operator {
    client: Client,
    as_json: bool,
}

impl Operator {
    fn new(data: &Path, as_json: bool) -> Self {
        let options = ClientOptions { call_timeout: CALL_TIMEOUT, ..ClientOptions::default() };
        Self { client: Client::admin(data.join("admin.sock"), &options), as_json }
    }

    /// Waits for an answer and prints it: as JSON, or with `print`.
    fn tell<T: Serialize>(
        &self,
        answer: impl Future<Output = Result<T, ClientError>>,
        print: impl FnOnce(&T) -> String,
    ) -> Exit {
        match remote::wait(answer) {
            Err(error) => output::misused(&error.to_string(), self.as_json),
            Ok(Err(error)) => remote::failed(&error, self.as_json),
            Ok(Ok(answer)) if self.as_json => output::json(Exit::AsAsked, &answer),
            Ok(Ok(answer)) => output::raw(print(&answer).as_bytes()),
        }
    }
}
