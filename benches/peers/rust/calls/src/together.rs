//! Many calls at once, each a task of its own.

use std::hint::black_box;

use assent_bench_harness::Work;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::{Pipeline, Setup, allocated};

/// How many calls there are at once.
const CALLS: usize = 1000;

/// As many as the smallest machines have cores.
const THREADS: usize = 2;

/// A thousand calls at once.
pub struct Together<P> {
    tokio: Runtime,
    pipeline: P,
    texts: Vec<&'static str>,
}

impl<P: Pipeline> Together<P> {
    /// With a pipeline of its own.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let tokio = Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
        let tokio = tokio.expect("a runtime");
        let pipeline = tokio.block_on(P::build(setup));
        let texts = setup.texts.iter().copied().cycle().take(CALLS).collect();
        Self { tokio, pipeline, texts }
    }

    /// The pipeline.
    #[must_use]
    pub fn pipeline(&self) -> &P {
        &self.pipeline
    }

    fn answers(&self) -> Vec<P::Answer> {
        let (pipeline, texts) = (self.pipeline.clone(), self.texts.clone());
        // Tasks are started by a task, as a server does it.
        let all = self.tokio.spawn(async move {
            let call = |text| {
                let pipeline = pipeline.clone();
                tokio::spawn(async move { pipeline.call(black_box(text)).await })
            };
            let running: Vec<_> = texts.into_iter().map(call).collect();
            let mut answers = Vec::with_capacity(running.len());
            for answer in running {
                answers.push(answer.await.expect("a call ends"));
            }
            answers
        });
        self.tokio.block_on(all).expect("all calls end")
    }
}

impl<P: Pipeline> Work for Together<P> {
    fn answer(&mut self) -> Value {
        json!(self.answers().iter().map(P::text).collect::<Vec<_>>())
    }

    fn pass(&mut self) -> usize {
        black_box(self.answers()).len()
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        allocated(|| self.pass())
    }
}
