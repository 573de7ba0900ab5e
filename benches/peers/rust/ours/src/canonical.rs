//! Text to canonical form to SHA-256.

use std::hint::black_box;

use assent_bench_harness::{Request, Work, manifest};
use assent_json::{Canonicalizer, Digest};
use serde_json::{Value, json};

struct Canonical {
    source: &'static [u8],
    canonicalizer: Canonicalizer,
}

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    let source = manifest(request)?;
    Some(Box::new(Canonical { source, canonicalizer: Canonicalizer::default() }))
}

impl Canonical {
    fn digest(&mut self) -> Digest {
        self.canonicalizer.digest(black_box(self.source)).expect("the manifest is readable")
    }
}

impl Work for Canonical {
    fn answer(&mut self) -> Value {
        json!(self.digest().to_string())
    }

    fn pass(&mut self) -> usize {
        black_box(self.digest());
        1
    }
}
