//! One call after the other.

use assent_bench_harness::Work;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::{Pipeline, Setup, allocated, answers, one_by_one, one_thread};

pub(crate) struct Alone<P> {
    tokio: Runtime,
    pipeline: P,
    texts: Vec<&'static str>,
}

impl<P: Pipeline> Alone<P> {
    pub(crate) fn new(setup: Setup) -> Self {
        let tokio = one_thread();
        let pipeline = tokio.block_on(P::build(&setup));
        Self { tokio, pipeline, texts: setup.texts }
    }
}

impl<P: Pipeline> Work for Alone<P> {
    fn answer(&mut self) -> Value {
        answers(&self.tokio, &self.pipeline, &self.texts)
    }

    fn pass(&mut self) -> usize {
        one_by_one(&self.tokio, &self.pipeline, self.texts.iter().copied());
        self.texts.len()
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        allocated(|| self.pass())
    }
}
