//! `assent device`: runs the device, and commands for the one that runs.

mod account;
mod agents;
mod control;
mod keys;
mod local;
mod prompts;
mod records;
mod serve;
mod settings;

use std::path::PathBuf;

use self::control::{Control, Failure};
use crate::{
    cli::{Device, DeviceCommand, RunDevice},
    exit::Exit,
    output,
};

pub(super) fn run(arguments: &Device) -> Exit {
    let Some(command) = &arguments.command else { return serve::run(arguments) };
    let as_json = arguments.format.json;
    if has_flags(&arguments.run) {
        let message =
            "flags such as `--listen` are for the device itself: `assent device --listen …`";
        return output::misused(message, as_json);
    }
    let Some(data) = data(arguments) else {
        let message = "the environment does not say where the device is: use `--data DIR`";
        return output::misused(message, as_json);
    };
    let control = Control::new(data.join("control.sock"), as_json);
    let outcome = match command {
        DeviceCommand::Register { account, name } => account::register(&control, account, name),
        DeviceCommand::Login(account) => account::log_in(&control, account),
        DeviceCommand::Logout => account::log_out(&control),
        DeviceCommand::Open => account::open(&control),
        DeviceCommand::AddAgent { agent, grant, all, yes } => {
            agents::add(&control, agent, &agents::Granting { scopes: grant, all: *all, yes: *yes })
        }
        DeviceCommand::Agents => agents::list(&control),
        DeviceCommand::Grants { agent } => agents::grants(&control, agent.as_deref()),
        DeviceCommand::Grant { agent, scopes } => agents::grant(&control, agent, scopes),
        DeviceCommand::Revoke { agent, scopes } => agents::revoke(&control, agent, scopes),
        DeviceCommand::Review { agent, accept, refuse, grant } => {
            let answer = agents::ReviewAnswer { accept: *accept, refuse: *refuse, grant };
            agents::review(&control, agent.as_deref(), &answer)
        }
        DeviceCommand::AskAgain { agent, tool } => agents::ask_again(&control, agent, tool),
        DeviceCommand::Prompts => prompts::list(&control),
        DeviceCommand::Answer { prompt, decision, view, shown } => {
            prompts::answer(&control, prompt, *decision, view, shown.as_deref())
        }
        DeviceCommand::Tools => local::tools(&control),
        DeviceCommand::Roots { change } => local::roots(&control, change.as_ref()),
        DeviceCommand::Settings { key, value } => {
            local::settings(&control, key.as_deref(), value.as_deref())
        }
        DeviceCommand::Activity { call } => records::activity(&control, call.as_deref()),
        DeviceCommand::Audit(command) => records::audit(&control, command),
        DeviceCommand::Send { conversation, text } => records::send(&control, conversation, text),
        DeviceCommand::Keys { agent } => keys::list(&control, agent.as_deref()),
        DeviceCommand::Devices => keys::devices(&control),
        DeviceCommand::Bind(_)
        | DeviceCommand::Unbind(_)
        | DeviceCommand::Mcp(_)
        | DeviceCommand::Backup(_) => {
            let message =
                "this version does not have this command; `assent device --help` lists the others";
            Err(Failure::Misused(message.to_owned()))
        }
    };
    outcome.unwrap_or_else(|failure| control.failed(&failure))
}

/// Returns `true` if a flag of the device itself is given.
fn has_flags(run: &RunDevice) -> bool {
    let texts = [
        &run.relay,
        &run.listen,
        &run.lang,
        &run.key_store,
        &run.prompt_timeout,
        &run.medium_timeout,
        &run.silence,
        &run.silence_max,
        &run.max_call_age,
        &run.log,
        &run.log_level,
    ];
    run.headless
        || run.unattended
        || run.config.is_some()
        || texts.iter().any(|text| text.is_some())
}

/// The data directory of the device, which contains its socket.
fn data(arguments: &Device) -> Option<PathBuf> {
    let environment = |name: &str| std::env::var_os(name);
    let given = arguments.data.clone();
    let given = given.or_else(|| environment("ASSENT_DATA").map(PathBuf::from));
    given.or_else(|| assent_service::data_directory("device", &environment))
}
