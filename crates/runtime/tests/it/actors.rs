//! Tools, hooks and people that do what a test says.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_ids::{Clock, UnixMillis};
use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, MutationPolicy, MutationRule};
use assent_protocol::wire::Loose;
use assent_runtime::{
    Answer, Answering, Approver, Body, Call, Effects, Execution, Executor, Failure, Hook,
    HookEffects, HookError, HookMoment, Hooks, OnFailure, Output, Prompt, Refusal, Registration,
    Remember, ToolDefinition, ToolPattern,
};
use serde_json::{Value, json};

use crate::{definitions::contract, desk::START};

/// A clock that goes with the simulated time of a test.
#[derive(Debug)]
pub struct Ticking(tokio::time::Instant);

impl Ticking {
    /// Begins when runtimes start.
    pub fn now() -> Arc<Self> {
        Arc::new(Self(tokio::time::Instant::now()))
    }
}

impl Clock for Ticking {
    fn now(&self) -> UnixMillis {
        UnixMillis::new(START).after(self.0.elapsed())
    }
}

/// A tool that does what a function says.
pub struct Does(pub for<'a> fn(&'a Call) -> Execution<'a>);

impl Executor for Does {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        (self.0)(call)
    }
}

/// A tool that gives this back.
pub struct Gives(pub Output);

impl Executor for Gives {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}

/// A tool that gives back a text.
pub fn says(text: impl Into<String>) -> Arc<dyn Executor> {
    Arc::new(Gives(output(Body::Text(text.into()))))
}

pub fn output(body: Body) -> Output {
    Output { body, ..Output::default() }
}

/// A tool that fails like this.
pub struct Fails(pub Failure);

impl Executor for Fails {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(std::future::ready(Err(self.0.clone())))
    }
}

pub fn fails(class: ErrorClass) -> Arc<dyn Executor> {
    Arc::new(Fails(Failure::new(class, "on purpose")))
}

/// A tool that takes some time, and stops when it is asked to.
pub struct Takes(pub Duration);

impl Executor for Takes {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            tokio::select! {
                () = tokio::time::sleep(self.0) => Ok(output(Body::Text("done".to_owned()))),
                _ = call.aborting() => {
                    call.stopping();
                    Err(Failure::new(ErrorClass::Canceled, "it stopped"))
                }
            }
        })
    }
}

/// A tool that takes some time and ignores requests to stop.
pub struct Stubborn(pub Duration);

impl Executor for Stubborn {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            tokio::time::sleep(self.0).await;
            Ok(output(Body::Text("done".to_owned())))
        })
    }
}

/// A tool that checks values before anything is done, brings paths into their normal form, and
/// remembers what it was given.
#[derive(Default)]
pub struct Spy {
    /// What it was called with.
    pub inputs: Mutex<Vec<Value>>,
    /// Refused before anything happens, if it is part of the path.
    pub refuses: Option<(&'static str, ErrorClass)>,
}

impl Spy {
    pub fn runs(&self) -> usize {
        self.inputs.lock().unwrap().len()
    }
}

impl Executor for Spy {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.inputs.lock().unwrap().push(call.input.to_value());
        Box::pin(async move { Ok(output(Body::Structured(call.input.clone()))) })
    }

    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        let path = input.root().get("path").and_then(|path| path.as_str().map(str::to_owned));
        match (self.refuses, path) {
            (Some((part, class)), Some(path)) if path.contains(part) => {
                Err(Refusal { class, message: "the path leads out of the workspace".to_owned() })
            }
            _ => Ok(()),
        }
    }

    fn normalize(&self, input: &Json) -> Option<Json> {
        let mut value = input.to_value();
        let path = value.get("path")?.as_str()?.strip_prefix("~/")?.to_owned();
        value["path"] = json!(format!("/home/ann/{path}"));
        Json::from_value(&value).ok()
    }
}

struct Says<F>(F);

impl<F> Hook for Says<F>
where
    F: Fn(&HookMoment) -> Result<HookEffects, HookError> + Send + Sync,
{
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        let said = (self.0)(moment);
        Box::pin(async move { said })
    }
}

/// A hook for all tools that does what a function says.
pub fn hook(
    id: &str,
    event: HookEvent,
    says: impl Fn(&HookMoment) -> Result<HookEffects, HookError> + Send + Sync + 'static,
) -> Registration {
    Registration {
        id: id.parse().unwrap(),
        event,
        tools: ToolPattern::parse("*").unwrap(),
        timeout: Duration::from_secs(1),
        on_failure: OnFailure::Closed,
        authoritative: false,
        hook: Arc::new(Says(says)),
    }
}

pub fn hooks(registrations: impl IntoIterator<Item = Registration>) -> Hooks {
    let mut hooks = Hooks::default();
    registrations.into_iter().for_each(|registration| hooks.register(registration));
    hooks
}

/// A person who answers like this and remembers the questions.
pub struct Person<F> {
    pub asked: Mutex<Vec<Prompt>>,
    answers: F,
}

impl<F: Fn(&Prompt) -> Answer + Send + Sync> Person<F> {
    pub fn new(answers: F) -> Arc<Self> {
        Arc::new(Self { asked: Mutex::default(), answers })
    }

    pub fn questions(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl<F: Fn(&Prompt) -> Answer + Send + Sync> Approver for Person<F> {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a> {
        self.asked.lock().unwrap().push(prompt.clone());
        Box::pin(std::future::ready((self.answers)(prompt)))
    }
}

pub fn yes() -> Answer {
    Answer::Allow { edit: None, feedback: None, remember: Remember::Once }
}

pub fn no() -> Answer {
    Answer::Deny { feedback: None, remember: Remember::Once }
}

/// Yes, with another input.
pub fn edited(input: Value, feedback: Option<&str>) -> Answer {
    let edit = Some(Json::from_value(&input).unwrap());
    Answer::Allow { edit, feedback: feedback.map(str::to_owned), remember: Remember::Once }
}

/// Lets hooks and people change the input, as far as the rule goes.
pub fn changeable(definition: &mut ToolDefinition, rule: MutationRule) {
    let policy =
        MutationPolicy { hooks: Some(rule), prompts: Some(rule), ..MutationPolicy::default() };
    contract(definition).mutation_policy = Some(Loose::Typed(policy));
}
