//! `assent device activity`, `audit`, `send`

use std::{fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};

use super::{
    agents::found_wrong,
    control::{Control, Failure, Outcome, items, text},
};
use crate::{cli::DeviceAudit, exit::Exit, output};

pub(super) fn activity(control: &Control, call: Option<&str>) -> Outcome {
    if let Some(call) = call {
        let data = control.get(&format!("/activity/{call}"))?;
        return Ok(control.print(&data, story));
    }
    let data = control.get("/activity")?;
    Ok(control.print(&data, |data| {
        let mut out = String::new();
        for call in items(data) {
            // Writing into a string cannot fail.
            let _ = writeln!(
                out,
                "{}  {}  {}  {} {}",
                text(call, "/at"),
                text(call, "/agent/name"),
                text(call, "/tool/name"),
                text(call, "/status"),
                text(call, "/reason"),
            );
        }
        if out.is_empty() { "no agent has called a tool\n".to_owned() } else { out }
    }))
}

fn story(call: &Value) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  {}  {} {}",
        text(call, "/agent/name"),
        text(call, "/tool/name"),
        text(call, "/status"),
        text(call, "/reason"),
    );
    for stage in items(call.get("stages").unwrap_or(&Value::Null)) {
        let (name, reason) = (text(stage, "/name"), text(stage, "/reason"));
        let _ = writeln!(out, "  {name:12} {reason}");
    }
    out
}

pub(super) fn audit(control: &Control, command: &DeviceAudit) -> Outcome {
    match command {
        DeviceAudit::List => {
            let data = control.get("/audit")?;
            Ok(control.print(&data, |data| {
                let mut out = String::new();
                for entry in items(data) {
                    let _ = writeln!(
                        out,
                        "{}  {}  {}  {}  {}",
                        text(entry, "/seq"),
                        text(entry, "/timestamp"),
                        text(entry, "/tool_name"),
                        text(entry, "/status"),
                        text(entry, "/decided_by"),
                    );
                }
                out
            }))
        }
        DeviceAudit::Verify { file: None, .. } => {
            let data = control.get("/audit/verify")?;
            Ok(verified(control, &data))
        }
        DeviceAudit::Verify { file: Some(file), head } => {
            let text = read(file)?;
            let head = head.as_deref().map(read).transpose()?;
            let body = json!({ "export": text, "head": head });
            let data = control.post("/audit/verify", &body)?;
            Ok(verified(control, &data))
        }
        DeviceAudit::Export => {
            let data = control.get("/audit/export")?;
            Ok(output::json(Exit::AsAsked, &data))
        }
    }
}

fn verified(control: &Control, data: &Value) -> Exit {
    let is_whole = data.get("ok") == Some(&Value::Bool(true));
    let exit = control.print(data, |data| {
        if is_whole {
            return format!("the record is whole: {} entries\n", text(data, "/entries"));
        }
        let mut out = String::new();
        for problem in items(data.get("problems").unwrap_or(&Value::Null)) {
            let _ = writeln!(out, "{}", text(problem, "/message"));
        }
        out
    });
    found_wrong(exit, is_whole)
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file)
        .map_err(|error| Failure::Misused(format!("`{}` cannot be read: {error}", file.display())))
}

pub(super) fn send(control: &Control, conversation: &str, message: &str) -> Outcome {
    let path = format!("/conversations/{conversation}/messages");
    let data = control.post(&path, &json!({ "text": message }))?;
    Ok(control.print(&data, |_| "sent\n".to_owned()))
}
