//! A runtime with everything around it, for tests that call tools.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::{
    UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_journal::{Entry, Journal};
use assent_json::Json;
use assent_policy::{Policy, RuleSpec};
use assent_protocol::agent_tool::{Flag, ToolResult};
use assent_runtime::{
    Answer, Answering, Approver, Body, Call, CallResult, Catalog, Execution, Executor, ModelInput,
    Output, Prompt, Request, Runtime, RuntimeBuilder, ToolDefinition,
};
use assent_test_journal::Audited;
use serde_json::{Value, json};

use crate::definitions::with;

/// A tool that gives back its input, and counts.
#[derive(Debug, Default)]
pub struct Echo {
    pub runs: AtomicU64,
    pub takes: Option<Duration>,
    pub hangs: bool,
}

impl Executor for Echo {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            if let Some(time) = self.takes {
                tokio::time::sleep(time).await;
            }
            if self.hangs {
                pending::<()>().await;
            }
            Ok(Output { body: Body::Structured(call.input.clone()), ..Output::default() })
        })
    }
}

/// A person who answers everything the same way and remembers the questions.
#[derive(Debug)]
pub struct Yes {
    pub asked: Mutex<Vec<Prompt>>,
    pub answer: Option<Answer>,
}

impl Yes {
    pub fn new(answer: Option<Answer>) -> Arc<Self> {
        Arc::new(Self { asked: Mutex::default(), answer })
    }

    pub fn allow() -> Arc<Self> {
        let remember = assent_runtime::Remember::Once;
        Self::new(Some(Answer::Allow { edit: None, feedback: None, remember }))
    }
}

impl Approver for Yes {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a> {
        self.asked.lock().unwrap().push(prompt.clone());
        Box::pin(async move {
            match &self.answer {
                Some(answer) => answer.clone(),
                None => pending().await,
            }
        })
    }
}

/// When runtimes start.
pub const START: u64 = 1_700_000_000_000;

/// Everything that a test needs.
pub struct Desk {
    pub runtime: Runtime,
    pub journal: Audited,
}

/// What a runtime is put together with, on a journal that is audited when the test is over. Runtimes that
/// follow each other on one journal have each their own number.
pub fn starting(journal: &Audited, number: u64) -> RuntimeBuilder {
    starting_through(journal.shared(), number)
}

/// The same with something between the runtime and an audited journal.
pub fn starting_through(journal: Arc<dyn Journal>, number: u64) -> RuntimeBuilder {
    Runtime::builder()
        .clock(Arc::new(ManualClock::starting_at(UnixMillis::new(START + number))))
        .entropy(Arc::new(SeededEntropy::new(number)))
        .journal(journal)
}

pub fn catalog(tools: Vec<(ToolDefinition, Arc<dyn Executor>)>) -> Catalog {
    let mut catalog = Catalog::new();
    for (definition, executor) in tools {
        catalog.register(definition, executor).unwrap();
    }
    catalog
}

impl Desk {
    /// A desk with these tools, each with its executor.
    pub fn new(
        tools: Vec<(ToolDefinition, Arc<dyn Executor>)>,
        change: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder,
    ) -> Self {
        Self::on(Audited::journal(), tools, change)
    }

    /// The same on a journal of another kind.
    pub fn on(
        journal: Audited,
        tools: Vec<(ToolDefinition, Arc<dyn Executor>)>,
        change: impl FnOnce(RuntimeBuilder) -> RuntimeBuilder,
    ) -> Self {
        let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(START)));
        let builder = starting(&journal, 7).clock(clock).catalog(catalog(tools));
        Self { runtime: change(builder).build().unwrap(), journal }
    }

    pub async fn entries(&self) -> Vec<Arc<Entry>> {
        self.journal.entries()
    }

    pub async fn call(&self, tool: &str, input: Value) -> CallResult {
        self.runtime.call(request(tool, input)).await
    }
}

pub fn request(tool: &str, input: Value) -> Request {
    Request::new(tool, ModelInput::from_value(&input))
}

/// Reads only, and says so.
pub fn reader(name: &str) -> ToolDefinition {
    with("files", name, |tool| {
        tool.interface.is_read_only = Some(Flag::Stated(true));
        tool.interface.is_concurrency_safe = Some(Flag::Stated(true));
    })
}

/// Says nothing about itself.
pub fn writer(name: &str) -> ToolDefinition {
    with("files", name, |_| {})
}

pub fn rules(rules: Value) -> Arc<Policy> {
    let rules: Vec<RuleSpec> = serde_json::from_value(rules).unwrap();
    Arc::new(Policy::load(rules).unwrap())
}

pub fn allow_all() -> Arc<Policy> {
    rules(json!([{"id": "all", "behavior": "allow"}]))
}

pub fn json_of(value: Value) -> Json {
    Json::from_value(&value).unwrap()
}

/// The class of a result's error.
pub fn class(result: &ToolResult) -> Option<String> {
    Some(result.error.as_ref()?.typed()?.error_class.as_str().to_owned())
}
