//! Executors and approvers made from async functions.

use std::{future::Future, sync::Arc};

use crate::{
    approval::{Answer, Answering, Approver, Prompt},
    executor::{Call, Execution, Executor, Failure, Output},
};

/// An executor that runs every call with an async function.
///
/// ```
/// use assent_runtime::prelude::*;
///
/// let echo = executor_fn(|call| async move { Output::json(&call.input) });
/// ```
pub fn executor_fn<F, R>(run: F) -> Arc<dyn Executor>
where
    F: Fn(Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Output, Failure>> + Send + 'static,
{
    Arc::new(Function(run))
}

/// An approver that answers every question with an async function.
///
/// ```
/// use assent_runtime::prelude::*;
///
/// let cautious = approver_fn(|prompt| async move {
///     if prompt.view.lines.len() < 3 { Answer::allow() } else { Answer::deny() }
/// });
/// ```
pub fn approver_fn<F, R>(answer: F) -> Arc<dyn Approver>
where
    F: Fn(Prompt) -> R + Send + Sync + 'static,
    R: Future<Output = Answer> + Send + 'static,
{
    Arc::new(Function(answer))
}

/// Implements the traits for a function.
struct Function<F>(F);

impl<F, R> Executor for Function<F>
where
    F: Fn(Call) -> R + Send + Sync,
    R: Future<Output = Result<Output, Failure>> + Send + 'static,
{
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin((self.0)(call.clone()))
    }
}

impl<F, R> Approver for Function<F>
where
    F: Fn(Prompt) -> R + Send + Sync,
    R: Future<Output = Answer> + Send + 'static,
{
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a> {
        Box::pin((self.0)(prompt.clone()))
    }
}
