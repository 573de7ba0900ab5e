//! `assent device add-agent`, `agents`, `grants`, `grant`, `revoke`, `review`, `ask-again`

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
};

use http::Method;
use serde_json::{Value, json};

use super::control::{Control, Failure, Outcome, items, text};
use crate::{exit::Exit, output};

/// What `add-agent` grants.
pub(super) struct Granting<'a> {
    pub(super) scopes: &'a [String],
    pub(super) all: bool,
    pub(super) yes: bool,
}

/// What `review` answers; nothing shows the change only.
pub(super) struct ReviewAnswer<'a> {
    pub(super) accept: bool,
    pub(super) refuse: bool,
    pub(super) grant: &'a [String],
}

pub(super) fn add(control: &Control, agent: &str, granting: &Granting<'_>) -> Outcome {
    let (id, key) = read_link(agent)?;
    let query = key.as_ref().map_or_else(String::new, |key| format!("?k={key}"));
    let found = control.get(&format!("/directory/{id}{query}"))?;
    let scopes: Vec<String> = if granting.all {
        items(found.get("scopes").unwrap_or(&Value::Null)).map(|scope| text(scope, "/id")).collect()
    } else {
        granting.scopes.to_vec()
    };
    if !control.as_json {
        output::raw(directory(&found).as_bytes());
    }
    if !granting.yes && !confirmed(control, granting)? {
        return Ok(output::raw(b"nothing was granted\n"));
    }
    let mut body = json!({
        "agent_id": id,
        "manifest_hash": found.get("manifest_hash"),
        "granted_scopes": scopes,
        "view_digest": found.get("view_digest"),
    });
    if let (Some(key), Some(body)) = (key, body.as_object_mut()) {
        body.insert("k".to_owned(), key.into());
    }
    let added = control.post("/relations", &body)?;
    Ok(control.print(&added, |added| {
        format!("added; conversation {}\n", text(added, "/conversation_id"))
    }))
}

/// Asks on the terminal. Without one the arguments must say everything.
fn confirmed(control: &Control, granting: &Granting<'_>) -> Result<bool, Failure> {
    let is_terminal = io::stdin().is_terminal() && !control.as_json;
    if !is_terminal {
        let text =
            "without a terminal, say what to grant with `--yes` and `--grant SCOPE` or `--all`";
        return Err(Failure::Misused(text.to_owned()));
    }
    let what = match (granting.all, granting.scopes.len()) {
        (true, _) => "all permissions".to_owned(),
        (false, 0) => "no permission".to_owned(),
        (false, _) => granting.scopes.join(", "),
    };
    let failed = |error: io::Error| Failure::Misused(error.to_string());
    let mut prompt = io::stderr();
    write!(prompt, "Add this agent with {what}? [y/N] ").map_err(failed)?;
    prompt.flush().map_err(failed)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(failed)?;
    Ok(answer.trim().eq_ignore_ascii_case("y"))
}

/// The agent and the key digest of `agt_…` or `assent:add/agt_…?relay=URL#k=…`.
fn read_link(agent: &str) -> Result<(String, Option<String>), Failure> {
    let Some(link) = agent.strip_prefix("assent:add/") else {
        return Ok((agent.to_owned(), None));
    };
    let (head, key) = match link.split_once('#') {
        None => (link, None),
        Some((head, rest)) => {
            let key = rest.strip_prefix("k=").ok_or_else(|| {
                Failure::Misused("the link is not complete: copy all of it".to_owned())
            })?;
            (head, Some(key.to_owned()))
        }
    };
    let id = head.split('?').next().unwrap_or(head);
    if !id.starts_with("agt_") {
        return Err(Failure::Misused("the link names no agent".to_owned()));
    }
    Ok((id.to_owned(), key))
}

fn directory(found: &Value) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{}  {}", text(found, "/name"), text(found, "/agent_id"));
    for scope in items(found.get("scopes").unwrap_or(&Value::Null)) {
        let (label, id) = (text(scope, "/label"), text(scope, "/id"));
        let _ = writeln!(out, "  {}  {label} ({id})", text(scope, "/sensitivity"));
    }
    let _ = writeln!(out, "  safety number {}", text(found, "/safety_number"));
    out
}

pub(super) fn list(control: &Control) -> Outcome {
    let data = control.get("/relations")?;
    Ok(control.print(&data, |data| {
        let mut out = String::new();
        for relation in items(data) {
            let (id, name) = (text(relation, "/agent/agent_id"), text(relation, "/agent/name"));
            let scopes = relation.get("granted_scopes").map(list_of_texts).unwrap_or_default();
            let _ = writeln!(out, "{id}  {name}  {scopes}");
        }
        if out.is_empty() { "no agent is added\n".to_owned() } else { out }
    }))
}

fn list_of_texts(list: &Value) -> String {
    let texts: Vec<String> = items(list).map(|text_| text(text_, "")).collect();
    texts.join(", ")
}

pub(super) fn grants(control: &Control, agent: Option<&str>) -> Outcome {
    let listed = match agent {
        None => control.get("/relations")?,
        Some(agent) => json!([relation_of(control, agent)?]),
    };
    // A list says less about each relation than the relation itself.
    let whole =
        |relation: &Value| control.get(&format!("/relations/{}", text(relation, "/relation_id")));
    let relations: Vec<Value> = items(&listed).map(whole).collect::<Result<_, _>>()?;
    let data = json!(relations);
    Ok(control.print(&data, |data| items(data).map(grants_of).collect::<Vec<_>>().join("\n")))
}

fn grants_of(relation: &Value) -> String {
    let mut out = String::new();
    let _ =
        writeln!(out, "{}  {}", text(relation, "/agent/name"), text(relation, "/agent/agent_id"));
    for tool in items(relation.get("tools").unwrap_or(&Value::Null)) {
        let is_granted = items(relation.get("granted_scopes").unwrap_or(&Value::Null))
            .any(|scope| scope == tool.get("scope").unwrap_or(&Value::Null));
        let state = if !is_granted {
            "not granted".to_owned()
        } else if tool.get("always_denied") == Some(&Value::Bool(true)) {
            "always denied".to_owned()
        } else if tool.get("embargoed_until").is_some_and(|until| !until.is_null()) {
            format!("must not ask until {}", text(tool, "/embargoed_until"))
        } else if tool.get("silent_until").is_some_and(|until| !until.is_null()) {
            format!("quiet until {}", text(tool, "/silent_until"))
        } else {
            String::new()
        };
        let _ = writeln!(out, "  {}  {}  {state}", text(tool, "/scope"), text(tool, "/name"));
    }
    out
}

/// The relation with an agent, by its id or its name.
fn relation_of(control: &Control, agent: &str) -> Result<Value, Failure> {
    let data = control.get("/relations")?;
    let is_it = |relation: &&Value| {
        let field = |pointer: &str| relation.pointer(pointer).and_then(Value::as_str);
        field("/agent/agent_id") == Some(agent) || field("/agent/name") == Some(agent)
    };
    let mut found = items(&data).filter(is_it);
    match (found.next(), found.next()) {
        (Some(relation), None) => Ok(relation.clone()),
        (None, _) => {
            let text = format!("no agent `{agent}` is added; `assent device agents` lists them");
            Err(Failure::Misused(text))
        }
        (Some(_), Some(_)) => {
            Err(Failure::Misused(format!("several agents are called `{agent}`: use the id")))
        }
    }
}

pub(super) fn grant(control: &Control, agent: &str, scopes: &[String]) -> Outcome {
    let relation = relation_of(control, agent)?;
    let mut granted: Vec<Value> =
        items(relation.get("granted_scopes").unwrap_or(&Value::Null)).cloned().collect();
    for scope in scopes {
        if !granted.iter().any(|known| known.as_str() == Some(scope)) {
            granted.push(scope.clone().into());
        }
    }
    change(control, &relation, &granted)
}

pub(super) fn revoke(control: &Control, agent: &str, scopes: &[String]) -> Outcome {
    let relation = relation_of(control, agent)?;
    if scopes.is_empty() {
        let path = format!("/relations/{}", text(&relation, "/relation_id"));
        let data = control.send(Method::DELETE, &path, None)?;
        return Ok(control.print(&data, |_| "everything is revoked\n".to_owned()));
    }
    let granted = items(relation.get("granted_scopes").unwrap_or(&Value::Null))
        .filter(|known| !scopes.iter().any(|scope| known.as_str() == Some(scope)));
    let granted: Vec<Value> = granted.cloned().collect();
    change(control, &relation, &granted)
}

/// Signs other grants for the manifest that the person has agreed to.
fn change(control: &Control, relation: &Value, granted: &[Value]) -> Outcome {
    let agent = text(relation, "/agent/agent_id");
    let found = control.get(&format!("/directory/{agent}"))?;
    let body = json!({
        "granted_scopes": granted,
        "manifest_hash": found.get("manifest_hash"),
        "view_digest": found.get("view_digest"),
    });
    let path = format!("/relations/{}", text(relation, "/relation_id"));
    let data = control.send(Method::PATCH, &path, Some(&body))?;
    Ok(control.print(&data, |data| {
        let scopes = data.get("granted_scopes").map(list_of_texts).unwrap_or_default();
        format!("granted: {}\n", if scopes.is_empty() { "nothing".to_owned() } else { scopes })
    }))
}

pub(super) fn review(control: &Control, agent: Option<&str>, answer: &ReviewAnswer<'_>) -> Outcome {
    let Some(agent) = agent else {
        let data = control.get("/reviews")?;
        return Ok(control.print(&data, |data| {
            let reviews: Vec<String> = items(data).map(changes).collect();
            if reviews.is_empty() {
                "no change waits for you\n".to_owned()
            } else {
                reviews.join("\n")
            }
        }));
    };
    let relation = relation_of(control, agent)?;
    let path = format!("/reviews/{}", text(&relation, "/relation_id"));
    let review = control.get(&path)?;
    if !answer.accept && !answer.refuse {
        return Ok(control.print(&review, changes));
    }
    let granted = if answer.grant.is_empty() {
        relation.get("granted_scopes").cloned().unwrap_or_else(|| json!([]))
    } else {
        json!(answer.grant)
    };
    let body = json!({
        "decision": if answer.accept { "accept" } else { "refuse" },
        "manifest_hash": review.get("manifest_hash"),
        "granted_scopes": granted,
        "view_digest": review.get("view_digest"),
    });
    let data = control.post(&path, &body)?;
    let done =
        if answer.accept { "agreed and signed\n" } else { "refused; the agent stays paused\n" };
    Ok(control.print(&data, |_| done.to_owned()))
}

fn changes(review: &Value) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} has changed what it declares", text(review, "/agent/name"));
    for change in items(review.get("changes").unwrap_or(&Value::Null)) {
        let mark = if change.get("breaking") == Some(&Value::Bool(true)) { "✗" } else { "·" };
        let _ = writeln!(out, "  {mark} {}  {}", text(change, "/text"), text(change, "/rule"));
    }
    out
}

pub(super) fn ask_again(control: &Control, agent: &str, tool: &str) -> Outcome {
    let relation = relation_of(control, agent)?;
    let path = format!("/relations/{}/ask-again", text(&relation, "/relation_id"));
    let data = control.post(&path, &json!({ "tool": tool }))?;
    Ok(control.print(&data, |_| format!("you are asked again before {tool}\n")))
}

/// The exit of a command that found something wrong.
pub(super) const fn found_wrong(exit: Exit, is_right: bool) -> Exit {
    if is_right { exit } else { Exit::Bad }
}
