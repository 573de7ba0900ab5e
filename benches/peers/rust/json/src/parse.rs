//! Parsing alone: what is left of validating or comparing when nothing is validated or compared.

use std::hint::black_box;

use assent_bench_harness::{Request, Work, diff_pair, tools};
use serde_json::{Value, json};

/// Parses texts one after another.
struct Parse {
    texts: Vec<&'static [u8]>,
    /// How many operations a pass over all texts counts as.
    operations: usize,
}

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    if request.peer != "serde_json" {
        return None;
    }
    if request.case == "validate-text" {
        let instances = tools(request).into_iter().flat_map(|tool| tool.instances);
        let texts: Vec<_> = instances
            .filter(|instance| instance.valid)
            .map(|instance| instance.text.as_bytes())
            .collect();
        return Some(Box::new(Parse { operations: texts.len(), texts }));
    }
    let pair = diff_pair(request)?;
    Some(Box::new(Parse { texts: pair.to_vec(), operations: 1 }))
}

impl Work for Parse {
    fn answer(&mut self) -> Value {
        self.pass();
        json!(self.texts.len())
    }

    fn pass(&mut self) -> usize {
        for text in &self.texts {
            black_box(parse(black_box(text)));
        }
        self.operations
    }
}

fn parse(text: &[u8]) -> Value {
    serde_json::from_slice(text).expect("the text is JSON")
}
