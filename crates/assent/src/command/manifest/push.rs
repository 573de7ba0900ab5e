//! `assent manifest push FILE`

use std::io::{self, Write};

use assent_ids::AgentId;
use assent_manifest::{CheckOptions, Report};
use assent_relay_api::{
    model::{Agent, ManifestText},
    operations::agents::{AgentChanges, GetAgent, UpdateAgent, UpdatedAgent},
    path::AgentPath,
};
use assent_relay_client::{Client, ClientError, Credentials};
use http::{HeaderMap, HeaderValue, header::IF_MATCH};
use serde_json::Value;

use super::{
    changes::{self, Change},
    findings::{self, Level},
};
use crate::{
    cli,
    exit::Exit,
    input::{self, Input},
    output::{self, BAD, CAREFUL, GOOD, QUIET, STRONG, visible},
    remote,
};

/// The longest token file.
const MAX_TOKEN_BYTES: u64 = 4096;

pub(super) fn run(arguments: &cli::Push) -> Exit {
    let as_json = arguments.format.json;
    let input = match input::read(&arguments.file.file) {
        Ok(input) => input,
        Err(error) => return output::unreadable(&error, as_json),
    };
    let options = CheckOptions { rules: arguments.rules.rules.into(), ..CheckOptions::default() };
    let report = assent_manifest::check(&input.bytes, options);
    if !report.is_valid() {
        return findings::bad_document("new", &input, &report.errors, as_json);
    }
    let push = match Push::of(arguments) {
        Ok(push) => push,
        Err(message) => return output::misused(&message, as_json),
    };
    if arguments.dry_run { push.rehearse(&input) } else { push.publish(&input, &report) }
}

struct Push<'a> {
    arguments: &'a cli::Push,
    client: Client,
    path: AgentPath,
    headers: HeaderMap,
}

impl<'a> Push<'a> {
    fn of(arguments: &'a cli::Push) -> Result<Self, String> {
        let agent_id: AgentId = arguments
            .agent
            .parse()
            .map_err(|_| "`--agent` takes the id of an agent, `agt_…`".to_owned())?;
        let client = Client::new(&arguments.relay, Credentials::bearer(token(arguments)?));
        let mut headers = HeaderMap::new();
        if let Some(hash) = &arguments.if_match {
            let value = HeaderValue::try_from(format!("\"{}\"", hash.trim_matches('"')));
            headers.insert(IF_MATCH, value.map_err(|_| "`--if-match` takes a hash".to_owned())?);
        }
        let client = client.map_err(|error| error.to_string())?;
        Ok(Self { arguments, client, path: AgentPath { agent_id }, headers })
    }

    /// Publishes the manifest and prints the answer of the relay.
    fn publish(&self, input: &Input, report: &Report) -> Exit {
        let as_json = self.arguments.format.json;
        let Ok(manifest) = serde_json::from_slice(&input.bytes) else {
            return output::misused("the manifest is no JSON object", as_json);
        };
        let body = AgentChanges {
            capability_manifest: Some(ManifestText(manifest)),
            ..AgentChanges::default()
        };
        let headers = self.headers.clone();
        let call = self.client.call_with::<UpdateAgent>(&self.path, &(), &body, headers);
        match remote::wait(call) {
            Err(error) => output::misused(&error.to_string(), as_json),
            Ok(Err(error)) => refused(&error, as_json),
            Ok(Ok(answer)) if as_json => output::json(Exit::AsAsked, &answer.reply),
            Ok(Ok(answer)) => output::report(Exit::AsAsked, |out| {
                print(out, input, &answer.reply)?;
                findings::print(out, input, Level::Warning, &report.warnings)
            }),
        }
    }

    /// Compares the manifest with the present one and changes nothing.
    fn rehearse(&self, input: &Input) -> Exit {
        let as_json = self.arguments.format.json;
        let call = self.client.call::<GetAgent>(&self.path, &(), &());
        match remote::wait(call) {
            Err(error) => output::misused(&error.to_string(), as_json),
            Ok(Err(error)) => remote::failed(&error, as_json),
            Ok(Ok(agent)) => self.compare(&agent, input),
        }
    }

    fn compare(&self, agent: &Agent, new: &Input) -> Exit {
        let as_json = self.arguments.format.json;
        let Some(old) = &agent.capability_manifest else {
            let report = serde_json::json!({"breaking": false, "changes": [], "first": true});
            return if as_json {
                output::json(Exit::AsAsked, &report)
            } else {
                output::raw(b"it would be the first manifest of this agent\n")
            };
        };
        let name = format!("version {}", agent.capability_manifest_version);
        let old = Input { name, bytes: old.to_string().into_bytes() };
        super::diff::compare(&old, new, self.arguments.rules.rules.into(), as_json)
    }
}

/// Reads the token, never from the command line, which other users can read.
fn token(arguments: &cli::Push) -> Result<String, String> {
    let text = match &arguments.token_file {
        Some(path) => {
            let mut text = String::new();
            let opened = std::fs::File::open(path);
            let read = opened.and_then(|file| {
                io::Read::read_to_string(&mut io::Read::take(file, MAX_TOKEN_BYTES), &mut text)
            });
            read.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            text
        }
        None => std::env::var("ASSENT_TOKEN").map_err(
            |_| "put the token into `ASSENT_TOKEN`, or name its file with `--token-file`",
        )?,
    };
    match text.trim() {
        "" => Err("the token is empty".to_owned()),
        token => Ok(token.to_owned()),
    }
}

/// Prints the problems of the manifest, which the relay returns in `params`.
fn refused(error: &ClientError, as_json: bool) -> Exit {
    let exit = remote::failed(error, as_json);
    let ClientError::Refused(refusal) = error else { return exit };
    let Some(Value::Array(errors)) = refusal.params.get("errors").filter(|_| !as_json) else {
        return exit;
    };
    output::complain(exit, |out| {
        for error in errors {
            let part = |name: &str| visible(error.get(name).and_then(Value::as_str).unwrap_or(""));
            let (code, path) = (part("code"), part("path"));
            writeln!(out, "  {BAD}✗{BAD:#} {}", part("message"))?;
            writeln!(out, "    {QUIET}{code} · {path}{QUIET:#}")?;
        }
        Ok(())
    })
}

fn print(out: &mut dyn Write, input: &Input, updated: &UpdatedAgent) -> io::Result<()> {
    let (name, version) = (visible(&input.name), updated.capability_manifest_version);
    let (all, breaking) = (updated.changes.len(), updated.breaking_changes.len());
    match (all, breaking) {
        (0, _) if version > 1 => {
            writeln!(out, "{GOOD}✓{GOOD:#} {name} says the same as version {version}")?;
        }
        (_, 0) => writeln!(out, "{GOOD}✓{GOOD:#} {name} is now version {version}")?,
        _ => writeln!(
            out,
            "{CAREFUL}!{CAREFUL:#} {name} is now version {version}, with {STRONG}{breaking}{STRONG:#} breaking of {all} changes: people are asked again"
        )?,
    }
    if let Some(hash) = &updated.capability_manifest_hash {
        writeln!(out, "  {QUIET}hash{QUIET:#}  {hash}")?;
    }
    changes::print(out, updated.changes.iter().map(Change::from))?;
    changes::print_help(out, updated.changes.iter().map(Change::from))
}
