//! The cases, for any validator of `serde_json` values.

use std::hint::black_box;

use assent_bench_harness::{Request, Tool, Work, tools};
use serde_json::{Value, json};

/// A compiled schema of some crate.
pub(crate) trait Validator: Sized + 'static {
    /// Compiles a schema of Draft 2020-12 with formats asserted.
    fn compile(schema: &Value) -> Self;

    /// Whether the schema accepts the value, as fast as the crate can tell.
    fn accepts(&self, instance: &Value) -> bool;

    /// The place and the text of the first error.
    fn first_error(&self, instance: &Value) -> (String, String);
}

pub(crate) fn prepare<V: Validator>(request: &Request) -> Option<Box<dyn Work>> {
    let tools = || tools(request);
    match request.case.as_str() {
        "validate-text" => Some(Box::new(FromText::<V>::new(tools()))),
        "validate-error" => Some(Box::new(FirstError::<V>::new(tools()))),
        "compile" => Some(Box::new(Compile::<V>::new(tools()))),
        _ => None,
    }
}

/// From the text of the arguments to yes or no.
struct FromText<V> {
    tools: Vec<(V, Tool)>,
}

impl<V: Validator> FromText<V> {
    fn new(tools: Vec<Tool>) -> Self {
        Self { tools: tools.into_iter().map(|tool| (V::compile(&tool.schema), tool)).collect() }
    }

    fn verdicts(&self, only_valid: bool, mut take: impl FnMut(bool)) {
        for (schema, tool) in &self.tools {
            for instance in tool.instances.iter().filter(|instance| instance.valid || !only_valid) {
                let value: Value =
                    serde_json::from_str(black_box(instance.text)).expect("arguments are JSON");
                take(schema.accepts(&value));
            }
        }
    }
}

impl<V: Validator> Work for FromText<V> {
    fn answer(&mut self) -> Value {
        let mut verdicts = Vec::new();
        self.verdicts(false, |verdict| verdicts.push(verdict));
        json!(verdicts)
    }

    fn pass(&mut self) -> usize {
        let mut operations = 0;
        self.verdicts(true, |verdict| operations += usize::from(black_box(verdict)));
        operations
    }
}

/// From arguments that were parsed already, and are wrong, to a message and its place.
struct FirstError<V> {
    tools: Vec<(V, Vec<Value>)>,
}

impl<V: Validator> FirstError<V> {
    fn new(tools: Vec<Tool>) -> Self {
        let tools = tools.into_iter().map(|tool| {
            let wrong = tool.instances.iter().filter(|instance| !instance.valid);
            let values = wrong.map(|instance| serde_json::from_str(instance.text).expect("JSON"));
            (V::compile(&tool.schema), values.collect())
        });
        Self { tools: tools.collect() }
    }

    fn errors(&self, mut take: impl FnMut(String, String)) {
        for (schema, instances) in &self.tools {
            for instance in instances {
                let (path, message) = schema.first_error(black_box(instance));
                take(path, message);
            }
        }
    }
}

impl<V: Validator> Work for FirstError<V> {
    fn answer(&mut self) -> Value {
        let mut errors = Vec::new();
        self.errors(|path, message| errors.push(json!({"path": path, "message": message})));
        json!(errors)
    }

    fn pass(&mut self) -> usize {
        let mut operations = 0;
        self.errors(|path, message| {
            black_box((path, message));
            operations += 1;
        });
        operations
    }
}

/// From schemas to something that can be asked.
struct Compile<V> {
    schemas: Vec<Value>,
    validator: std::marker::PhantomData<V>,
}

impl<V: Validator> Compile<V> {
    fn new(tools: Vec<Tool>) -> Self {
        let schemas = tools.into_iter().map(|tool| tool.schema).collect();
        Self { schemas, validator: std::marker::PhantomData }
    }
}

impl<V: Validator> Work for Compile<V> {
    fn answer(&mut self) -> Value {
        json!(self.pass())
    }

    fn pass(&mut self) -> usize {
        for schema in &self.schemas {
            black_box(V::compile(black_box(schema)));
        }
        self.schemas.len()
    }
}
