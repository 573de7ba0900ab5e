//! `assent device tools`, `roots`, `settings`

use std::{fmt::Write as _, path::Path};

use http::Method;
use serde_json::{Value, json};

use super::control::{Control, Failure, Outcome, items, text};
use crate::cli::RootsChange;

pub(super) fn tools(control: &Control) -> Outcome {
    let data = control.get("/tools")?;
    Ok(control.print(&data, |data| {
        let mut out = String::new();
        for tool in items(data) {
            // Writing into a string cannot fail.
            let is_missing = tool.get("available") == Some(&false.into());
            let state = if is_missing { "  not on this device" } else { "" };
            let _ = writeln!(out, "{}  {}{state}", text(tool, "/name"), text(tool, "/scope"));
        }
        out
    }))
}

pub(super) fn roots(control: &Control, change: Option<&RootsChange>) -> Outcome {
    let data = control.get("/roots")?;
    let mut roots: Vec<String> = items(data.get("roots").unwrap_or(&Value::Null))
        .filter_map(|root| root.as_str().map(ToOwned::to_owned))
        .collect();
    match change {
        None => return Ok(control.print(&data, list_roots)),
        Some(RootsChange::Add { folder }) => roots.push(absolute(folder)?),
        Some(RootsChange::Remove { folder }) => {
            let folder = absolute(folder)?;
            let before = roots.len();
            roots.retain(|root| *root != folder);
            if roots.len() == before {
                return Err(Failure::Misused(format!("`{folder}` is not one of the folders")));
            }
        }
    }
    let data = control.send(Method::PUT, "/roots", Some(&json!({ "roots": roots })))?;
    Ok(control.print(&data, list_roots))
}

fn list_roots(data: &Value) -> String {
    let mut out = String::new();
    for root in items(data.get("roots").unwrap_or(&Value::Null)) {
        let _ = writeln!(out, "{}", text(root, ""));
    }
    if out.is_empty() { "agents may read no folder\n".to_owned() } else { out }
}

fn absolute(folder: &Path) -> Result<String, Failure> {
    let folder =
        std::path::absolute(folder).map_err(|error| Failure::Misused(error.to_string()))?;
    let text = folder.to_str().map(ToOwned::to_owned);
    text.ok_or_else(|| Failure::Misused("the path of the folder is not UTF-8".to_owned()))
}

pub(super) fn settings(control: &Control, key: Option<&str>, value: Option<&str>) -> Outcome {
    let data = match (key, value) {
        (Some(key), Some(value)) => {
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            let mut body = serde_json::Map::new();
            body.insert(key.to_owned(), value);
            control.send(Method::PATCH, "/settings", Some(&Value::Object(body)))?
        }
        _ => control.get("/settings")?,
    };
    let data = match key {
        Some(key) => data.get(key).cloned().ok_or_else(|| {
            Failure::Misused(format!("there is no setting `{key}`; without a name, all are listed"))
        })?,
        None => data,
    };
    Ok(control.print(&data, |data| match data {
        Value::Object(settings) if key.is_none() => {
            let mut out = String::new();
            for (name, value) in settings {
                let _ = writeln!(out, "{name}  {}", text(value, ""));
            }
            out
        }
        value => format!("{}\n", text(value, "")),
    }))
}
