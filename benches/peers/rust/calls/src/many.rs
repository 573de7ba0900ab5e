//! So many calls, one after the other, through a pipeline that has seen none before.

use assent_bench_harness::Work;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::{Pipeline, Setup, answers, one_by_one, one_thread};

pub(crate) struct Many<P> {
    tokio: Runtime,
    pipeline: P,
    setup: Setup,
    count: usize,
}

impl<P: Pipeline> Many<P> {
    pub(crate) fn new(setup: Setup, count: usize) -> Self {
        let tokio = one_thread();
        let pipeline = tokio.block_on(P::build(&setup));
        Self { tokio, pipeline, setup, count }
    }
}

impl<P: Pipeline> Work for Many<P> {
    fn answer(&mut self) -> Value {
        answers(&self.tokio, &self.pipeline, &self.setup.texts)
    }

    fn renew(&mut self) -> bool {
        self.pipeline = self.tokio.block_on(P::build(&self.setup));
        true
    }

    fn pass(&mut self) -> usize {
        let texts = self.setup.texts.iter().copied().cycle().take(self.count);
        one_by_one(&self.tokio, &self.pipeline, texts);
        self.count
    }
}
