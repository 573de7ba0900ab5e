//! `assent device keys`, `devices`

use std::fmt::Write as _;

use super::control::{Control, Outcome, items, text};

pub(super) fn list(control: &Control, agent: Option<&str>) -> Outcome {
    let data = match agent {
        None => control.get("/keys")?,
        Some(agent) => serde_json::json!([control.get(&format!("/keys/{agent}"))?]),
    };
    Ok(control.print(&data, |data| {
        let mut out = String::new();
        for key in items(data) {
            let state = if key.get("changed") == Some(&true.into()) { "  CHANGED" } else { "" };
            // Writing into a string cannot fail.
            let _ = writeln!(
                out,
                "{}  {}{state}",
                text(key, "/agent/agent_id"),
                text(key, "/agent/name")
            );
            let _ = writeln!(out, "  {}", text(key, "/safety_number"));
        }
        out
    }))
}

pub(super) fn devices(control: &Control) -> Outcome {
    let data = control.get("/devices")?;
    Ok(control.print(&data, |data| {
        let mut out = String::new();
        for device in items(data) {
            let _ = writeln!(out, "{}  {}", text(device, "/device_id"), text(device, "/name"));
        }
        out
    }))
}
