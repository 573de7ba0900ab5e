//! Text to canonical form to SHA-256.

use std::{fmt::Write as _, hint::black_box};

use assent_bench_harness::{Request, Work, manifest};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

type Writer = fn(&Value) -> serde_json::Result<Vec<u8>>;

/// Parse, write with the peer, hash. The same hash for everyone, so that only the JSON differs.
struct Canonical {
    source: &'static [u8],
    write: Writer,
}

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    let write: Writer = match request.peer.as_str() {
        // Not canonical: what remains when nothing is sorted and no number is rewritten.
        "serde_json" => serde_json::to_vec,
        "serde_jcs" => serde_jcs::to_vec,
        "serde_json_canonicalizer" => serde_json_canonicalizer::to_vec,
        _ => return None,
    };
    Some(Box::new(Canonical { source: manifest(request)?, write }))
}

impl Canonical {
    fn digest(&self) -> [u8; 32] {
        let value: Value =
            serde_json::from_slice(black_box(self.source)).expect("the manifest is JSON");
        Sha256::digest((self.write)(&value).expect("a value can be written")).into()
    }
}

impl Work for Canonical {
    fn answer(&mut self) -> Value {
        let mut digest = String::new();
        for byte in self.digest() {
            write!(digest, "{byte:02x}").expect("a string takes everything");
        }
        json!(digest)
    }

    fn pass(&mut self) -> usize {
        black_box(self.digest());
        1
    }
}
