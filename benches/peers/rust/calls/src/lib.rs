//! The item `runtime`: everything but what takes the calls.
//!
//! An adapter says how its pipeline is built and how a tool is called through it; what is measured,
//! and how, is the same for all.

mod allocations;
mod alone;
mod many;
mod setup;
mod together;

use std::{future::Future, hint::black_box};

use assent_bench_harness::{Request, Work};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

pub use self::{
    allocations::{Allocations, Counting},
    setup::{Behavior, RuledTool, Setup},
    together::Together,
};
use self::{alone::Alone, many::Many};

/// What a peer does. Clones are the same pipeline.
pub trait Pipeline: Clone + Send + Sync + 'static {
    /// What comes out of a call.
    type Answer: Send + 'static;

    /// A pipeline with all tools, their rules, and two hooks before and two after each call.
    fn build(setup: &Setup) -> impl Future<Output = Self>;

    /// Calls the tool with arguments as a model writes them.
    fn call(&self, text: &'static str) -> impl Future<Output = Self::Answer> + Send;

    /// The text of an answer.
    fn text(answer: &Self::Answer) -> String;
}

/// The work of a case for one pipeline.
#[must_use]
pub fn calls_work<P: Pipeline>(request: &Request) -> Option<Box<dyn Work>> {
    let (kind, size) = request.case.split_once('-')?;
    let setup = || Setup::read(request);
    Some(match (kind, size) {
        ("call", "alone") | ("catalog", _) => Box::new(Alone::<P>::new(setup())),
        ("call", "1000") => Box::new(Together::<P>::new(&setup())),
        ("calls", size) => Box::new(Many::<P>::new(setup(), setup::number(size))),
        _ => return None,
    })
}

/// For calls one at a time.
fn one_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Makes calls one after the other.
fn one_by_one<P: Pipeline>(
    tokio: &Runtime,
    pipeline: &P,
    texts: impl Iterator<Item = &'static str>,
) {
    tokio.block_on(async {
        for text in texts {
            black_box(pipeline.call(black_box(text)).await);
        }
    });
}

/// The texts of all answers, for the gate.
fn answers<P: Pipeline>(tokio: &Runtime, pipeline: &P, texts: &[&'static str]) -> Value {
    let answer = |text: &&'static str| P::text(&tokio.block_on(pipeline.call(text)));
    json!(texts.iter().map(answer).collect::<Vec<_>>())
}

/// What each call of a pass allocates.
fn allocated(pass: impl FnOnce() -> usize) -> Vec<(&'static str, f64)> {
    let (allocations, calls) = Allocations::of(pass);
    let per_call = |amount: usize| amount as f64 / calls as f64;
    vec![
        ("allocations_per_op", per_call(allocations.count)),
        ("allocated_bytes_per_op", per_call(allocations.bytes)),
    ]
}
