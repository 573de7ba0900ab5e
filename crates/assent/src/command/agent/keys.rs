//! `assent agent keys`

use assent_agent::{AgentDirectory, PersonDevice};
use assent_ids::UserId;
use serde_json::{Value, json};

use super::Failure;
use crate::{
    exit::Exit,
    output::{self, BAD, QUIET, STRONG},
};

pub(super) async fn run(
    directory: &AgentDirectory,
    person: &str,
    as_json: bool,
) -> Result<Exit, Failure> {
    let person: UserId = person
        .parse()
        .map_err(|_| Failure::WrongUse(format!("`{person}` is not the id of a person, `usr_…`")))?;
    let agent = super::connect(directory).await?;
    let devices = agent.devices_of(person).await?;
    agent.close().await;
    if as_json {
        let devices: Vec<Value> = devices.iter().map(device_json).collect();
        let report = json!({ "user_id": person, "devices": devices });
        return Ok(output::json(Exit::AsAsked, &report));
    }
    Ok(output::report(Exit::AsAsked, |out| {
        for device in &devices {
            writeln!(out, "{STRONG}{}{STRONG:#}", device.safety_number)?;
            writeln!(out, "  {QUIET}device{QUIET:#}  {}", device.device_id)?;
            if device.keys_have_changed {
                writeln!(out, "  {BAD}its keys have changed; nothing is sent to it{BAD:#}")?;
            }
        }
        writeln!(out, "{QUIET}The person sees the same number on the page of the agent.{QUIET:#}")
    }))
}

fn device_json(device: &PersonDevice) -> Value {
    json!({
        "device_id": device.device_id,
        "safety_number": device.safety_number.to_string(),
        "keys_changed": device.keys_have_changed,
    })
}
