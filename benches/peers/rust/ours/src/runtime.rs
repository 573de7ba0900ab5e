//! Tool calls through the whole pipeline, with everything on that is on by default.

mod durable;
mod hooks;
mod sqlite;
mod tool;
mod transactions;

use std::sync::Arc;

use assent_bench_calls::{Behavior, Pipeline, RuledTool, Setup, calls_work};
use assent_bench_harness::{Request, Work};
use assent_journal::{Journal, MemoryJournal};
use assent_policy::{Policy, RuleSpec};
use assent_protocol::agent_tool;
use assent_runtime::{Catalog, ModelInput, Runtime};

use self::{durable::Durable, sqlite::Bare};

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    match request.case.as_str() {
        "call-1000-sqlite" => Some(Box::new(Durable::new(&Setup::read(request)))),
        _ => calls_work::<InMemory>(request),
    }
}

/// The limit of what is durable.
pub(crate) fn prepare_sqlite(request: &Request) -> Option<Box<dyn Work>> {
    let is_durable = request.case == "call-1000-sqlite";
    is_durable.then(|| Box::new(Bare::new(&Setup::read(request))) as Box<dyn Work>)
}

/// A runtime whose journal is in memory.
#[derive(Clone)]
struct InMemory(Called);

impl Pipeline for InMemory {
    type Answer = String;

    async fn build(setup: &Setup) -> Self {
        Self(Called::new(setup, Arc::new(MemoryJournal::default())))
    }

    async fn call(&self, text: &'static str) -> Self::Answer {
        self.0.call(text).await
    }

    fn text(answer: &Self::Answer) -> String {
        answer.clone()
    }
}

/// A runtime and the tool that is called.
#[derive(Clone)]
struct Called {
    runtime: Runtime,
    tool: Arc<str>,
}

impl Called {
    fn new(setup: &Setup, journal: Arc<dyn Journal>) -> Self {
        let mut catalog = Catalog::new();
        let executor = Arc::new(tool::ReadLines);
        for tool in &setup.tools {
            let definition = tool::definition(setup, &tool.name);
            catalog.register(definition, executor.clone()).expect("the definition is right");
        }
        let runtime = Runtime::builder()
            .catalog(catalog)
            .policy(Arc::new(policy(setup)))
            .hooks(hooks::two_before_and_two_after())
            .journal(journal)
            .build()
            .expect("a runtime");
        Self { runtime, tool: setup.called.as_str().into() }
    }

    /// What the model is sent.
    async fn call(&self, text: &str) -> String {
        // A door has read the name from somewhere.
        let request = assent_runtime::Request::new(&*self.tool, ModelInput::from_text(text));
        self.runtime.call(request).await.model_text()
    }
}

fn policy(setup: &Setup) -> Policy {
    let rule = |tool: &RuledTool| {
        let behavior = match tool.behavior {
            Behavior::Allow => agent_tool::Behavior::Allow,
            Behavior::Ask => agent_tool::Behavior::Ask,
            Behavior::Deny => agent_tool::Behavior::Deny,
        };
        let tool = format!("{}/{}", setup.namespace, tool.name);
        RuleSpec { tool: Some(tool.clone()), ..RuleSpec::new(tool, behavior) }
    };
    let rules: Vec<RuleSpec> = setup.tools.iter().map(rule).collect();
    Policy::load(rules).expect("the rules are right")
}
