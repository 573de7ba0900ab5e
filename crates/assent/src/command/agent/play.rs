//! Plays a script with a connected agent.

mod expect;
mod inbox;
mod steps;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};

use assent_agent::Agent;
use serde_json::{Value, json};

use self::inbox::Inbox;
use super::{Failure, script::Script};
use crate::{
    exit::Exit,
    output::{self, BAD, visible},
};

/// An agent that plays a script.
struct Player {
    agent: Agent,
    inbox: Inbox,
    /// The folder of the script, where its files are.
    folder: PathBuf,
    /// The variables, and what steps have saved.
    saved: BTreeMap<String, Value>,
}

/// What came of a step.
struct Played {
    outcome: Value,
    /// What was expected and is not so.
    unmet: Vec<String>,
}

impl Played {
    const fn new(outcome: Value) -> Self {
        Self { outcome, unmet: Vec::new() }
    }
}

/// Plays all steps, and prints a line of JSON for each. A step that could not be played ends the script; an
/// expectation that did not hold does not.
pub(super) async fn run(agent: Agent, script: Script, file: &Path) -> Exit {
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    let inbox = Inbox::of(&agent);
    let mut player = Player { agent, inbox, folder, saved: script.vars };
    let mut exit = Exit::AsAsked;
    for (index, step) in script.steps.iter().enumerate() {
        let number = index + 1;
        let began = Instant::now();
        let played = player.play(step).await;
        let (outcome, unmet, goes_on) = match played {
            Ok(played) => (played.outcome, played.unmet, true),
            Err(failure) => {
                let (code, message) = failure.code_and_message();
                let outcome = json!({ "error": { "code": code, "message": message } });
                (outcome, vec![message], false)
            }
        };
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = json!({ "step": number, "kind": step.kind(), "outcome": outcome, "ms": ms });
        output::json(exit, &line);
        for message in &unmet {
            exit = output::complain(Exit::Bad, |out| {
                writeln!(out, "{BAD}✗{BAD:#} step {number}: {}", visible(message))
            });
        }
        if !goes_on {
            break;
        }
    }
    player.agent.close().await;
    exit
}

impl Player {
    /// Inserts what was saved into the texts of a value.
    fn insert(&self, value: &Value) -> Result<Value, Failure> {
        super::script::insert(value, &self.saved)
            .map_err(|message| Failure::Failed("NOT_SAVED", message))
    }

    fn insert_text(&self, text: &str) -> Result<String, Failure> {
        Ok(match self.insert(&Value::String(text.to_owned()))? {
            Value::String(text) => text,
            value => value.to_string(),
        })
    }
}
