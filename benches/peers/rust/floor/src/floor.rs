//! The least that a call can be: read the arguments, check them, ask two hooks, look up the
//! permission, wait for a place, run the tool, tell two hooks. Nothing is recorded, and nothing can go
//! wrong but what ends the call at once.

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use assent_bench_calls::{Behavior, Pipeline, Setup};
use jsonschema::Validator;
use serde_json::Value;
use tokio::sync::Semaphore;

/// As many calls run at once as in the measured pipeline.
const PARALLEL: usize = 1024;

type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

trait Hook: Send + Sync {
    fn goes_on<'a>(&'a self, moment: &'a Value) -> Later<'a, bool>;
}

struct Agreeing;

impl Hook for Agreeing {
    fn goes_on<'a>(&'a self, _: &'a Value) -> Later<'a, bool> {
        Box::pin(async { true })
    }
}

trait Tool: Send + Sync {
    fn run<'a>(&'a self, input: &'a Value) -> Later<'a, String>;
}

struct ReadLines;

impl Tool for ReadLines {
    fn run<'a>(&'a self, input: &'a Value) -> Later<'a, String> {
        Box::pin(async move {
            let path = input["path"].as_str().unwrap_or_default();
            let limit = input["limit"].as_u64().unwrap_or_default();
            let order = if input["reverse"] == true { " reversed" } else { "" };
            format!("{limit} lines of {path}{order}")
        })
    }
}

#[derive(Clone)]
pub(crate) struct Floor(Arc<Parts>);

struct Parts {
    tools: HashMap<String, (Validator, Box<dyn Tool>)>,
    permissions: HashMap<String, Behavior>,
    before: Vec<Box<dyn Hook>>,
    after: Vec<Box<dyn Hook>>,
    places: Semaphore,
    called: String,
}

impl Pipeline for Floor {
    type Answer = Result<String, &'static str>;

    async fn build(setup: &Setup) -> Self {
        let hooks = || vec![Box::new(Agreeing) as Box<dyn Hook>, Box::new(Agreeing)];
        let validator = || jsonschema::draft202012::new(&setup.schema).expect("a schema");
        let tool =
            |name: &String| (name.clone(), (validator(), Box::new(ReadLines) as Box<dyn Tool>));
        let permissions = setup.tools.iter().map(|tool| (tool.name.clone(), tool.behavior));
        Self(Arc::new(Parts {
            tools: setup.tools.iter().map(|ruled| tool(&ruled.name)).collect(),
            permissions: permissions.collect(),
            before: hooks(),
            after: hooks(),
            places: Semaphore::new(PARALLEL),
            called: setup.called.clone(),
        }))
    }

    async fn call(&self, text: &'static str) -> Self::Answer {
        let parts = &*self.0;
        let (validator, tool) = parts.tools.get(&parts.called).ok_or("no such tool")?;
        let input: Value = serde_json::from_str(text).map_err(|_| "not JSON")?;
        if !validator.is_valid(&input) {
            return Err("not what the tool takes");
        }
        for hook in &parts.before {
            if !hook.goes_on(&input).await {
                return Err("a hook said no");
            }
        }
        if parts.permissions.get(&parts.called) != Some(&Behavior::Allow) {
            return Err("not permitted");
        }
        let place = parts.places.acquire().await.map_err(|_| "closed")?;
        let output = tool.run(&input).await;
        drop(place);
        let output = Value::String(output);
        for hook in &parts.after {
            if !hook.goes_on(&output).await {
                return Err("a hook said no");
            }
        }
        match output {
            Value::String(text) => Ok(text),
            _ => Err("not a text"),
        }
    }

    fn text(answer: &Self::Answer) -> String {
        match answer {
            Ok(text) => text.clone(),
            Err(why) => (*why).to_owned(),
        }
    }
}
