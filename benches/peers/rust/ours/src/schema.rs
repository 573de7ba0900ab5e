//! Tool arguments against their schemas.

use std::{borrow::Cow, hint::black_box};

use assent_bench_harness::{Request, Tool, Work, tools};
use assent_json::{Document, Tape, read, read_into};
use assent_schema::InputSchema;
use serde_json::{Value, json};

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    let tools = || tools(request);
    match request.case.as_str() {
        "validate-text" => Some(Box::new(FromText::new(tools()))),
        "validate-error" => Some(Box::new(FirstError::new(tools()))),
        "compile" => Some(Box::new(Compile {
            schemas: tools().into_iter().map(|tool| tool.schema).collect(),
        })),
        _ => None,
    }
}

fn compile(schema: &Value) -> InputSchema {
    InputSchema::compile(schema).expect("the schema is usable")
}

/// From the text of the arguments to yes or no.
struct FromText {
    tools: Vec<(InputSchema, Tool)>,
    tape: Tape,
}

impl FromText {
    fn new(tools: Vec<Tool>) -> Self {
        let tools = tools.into_iter().map(|tool| (compile(&tool.schema), tool)).collect();
        Self { tools, tape: Tape::default() }
    }

    fn verdicts(&mut self, only_valid: bool, mut take: impl FnMut(bool)) {
        for (schema, tool) in &self.tools {
            for instance in tool.instances.iter().filter(|instance| instance.valid || !only_valid) {
                let tape = std::mem::take(&mut self.tape);
                let text = black_box(instance.text).as_bytes();
                let document = read_into(text, tape).expect("the arguments are readable");
                take(schema.accepts(document.root()));
                self.tape = document.into_tape();
            }
        }
    }
}

impl Work for FromText {
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

/// From arguments that were read already, and are wrong, to a message and its place.
struct FirstError {
    tools: Vec<(InputSchema, Vec<Document<'static>>)>,
}

impl FirstError {
    fn new(tools: Vec<Tool>) -> Self {
        let tools = tools.into_iter().map(|tool| {
            let wrong = tool.instances.iter().filter(|instance| !instance.valid);
            let documents = wrong.map(|instance| read(instance.text.as_bytes()).expect("readable"));
            (compile(&tool.schema), documents.collect())
        });
        Self { tools: tools.collect() }
    }

    fn errors(&self, mut take: impl FnMut(Cow<'_, str>, Cow<'_, str>)) {
        for (schema, documents) in &self.tools {
            for document in documents {
                let violation = schema.check(black_box(document.root())).expect_err("it is wrong");
                take(violation.path, violation.message);
            }
        }
    }
}

impl Work for FirstError {
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
struct Compile {
    schemas: Vec<Value>,
}

impl Work for Compile {
    fn answer(&mut self) -> Value {
        json!(self.pass())
    }

    fn pass(&mut self) -> usize {
        for schema in &self.schemas {
            black_box(compile(black_box(schema)));
        }
        self.schemas.len()
    }
}
