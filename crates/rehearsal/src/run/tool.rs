//! Scripted tools.

use std::{
    collections::BTreeMap,
    future::pending,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use assent_json::{Json, Node, Pointer};
use assent_protocol::agent_tool::{ArtifactRef, ErrorClass};
use assent_runtime::{Body, Call, Execution, Executor, Failure, Output, Progress, Refusal};

use crate::{End, Script, Step, Tool};

/// The number of executions of each tool, by its id. Like real side effects, it survives a crash of the
/// runtime.
#[derive(Debug, Default)]
pub(super) struct Executions(Mutex<BTreeMap<String, u64>>);

impl Executions {
    fn count(&self, tool: &Tool) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(tool.id()).or_default() += 1;
    }

    /// Returns the number of executions of a tool.
    pub(super) fn of(&self, tool: Option<&Tool>) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tool.and_then(|tool| counts.get(&tool.id())).copied().unwrap_or_default()
    }

    pub(super) fn counts(&self) -> BTreeMap<String, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A tool with the script of the file.
#[derive(Debug)]
pub(super) struct ScriptedTool {
    pub(super) tool: Tool,
    pub(super) executions: Arc<Executions>,
}

impl Executor for ScriptedTool {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.executions.count(&self.tool);
        Box::pin(async move {
            if self.tool.supports_cancel != Some(true) {
                return perform(&self.tool.run, call).await;
            }
            tokio::select! {
                biased;
                _ = call.aborting() => {
                    call.stopping();
                    Err(Failure::new(ErrorClass::Canceled, "it stopped because it was asked to"))
                }
                output = perform(&self.tool.run, call) => output,
            }
        })
    }

    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        for refusal in &self.tool.refuse {
            let found = find(input.root(), &refusal.path).and_then(|node| node.as_str());
            if found.is_some_and(|text| refusal.matches.matches(text)) {
                let message = format!("the value at `{}` is refused", refusal.path);
                return Err(Refusal { class: refusal.class, message });
            }
        }
        Ok(())
    }
}

fn find<'d>(root: Node<'d>, path: &Pointer) -> Option<Node<'d>> {
    Pointer::tokens(path.as_str()).try_fold(root, |node, token| {
        node.get(&token).or_else(|| node.elements().nth(token.parse().ok()?))
    })
}

async fn perform(script: &Script, call: &Call) -> Result<Output, Failure> {
    let mut output = Output::default();
    for step in &script.steps {
        perform_step(step, call, &mut output).await?;
    }
    output.body = end(&script.end, call).await?;
    Ok(output)
}

async fn perform_step(step: &Step, call: &Call, output: &mut Output) -> Result<(), Failure> {
    match step {
        Step::Progress(progress) => call.progress(Progress {
            message: progress.message.clone(),
            percent: progress.percent.as_ref().map(assent_protocol::wire::Percent::get),
            ..Progress::default()
        }),
        Step::Sleep(time) => tokio::time::sleep(Duration::from_millis(time.0)).await,
        Step::Partial(part) => call.partial(json(part)?),
        Step::NeedInput { prompt } => {
            if call.ask(prompt.clone()).await.is_none() {
                pending::<()>().await;
            }
        }
        Step::Artifact(artifact) => {
            let mut made = ArtifactRef::new(artifact.artifact_id.clone());
            made.media_type = Some(artifact.media_type.clone());
            made.uri.clone_from(&artifact.uri);
            output.artifacts.push(made);
        }
        Step::ContextModifier(modifier) => output.context_modifier = Some(modifier.clone()),
    }
    Ok(())
}

async fn end(end: &End, call: &Call) -> Result<Body, Failure> {
    match end {
        End::Return(value) => Ok(Body::Structured(json(value)?)),
        End::ReturnText(text) => Ok(Body::Text(text.clone())),
        End::ReturnBytes(count) => Ok(Body::Text(filler(*count))),
        End::ReturnEmpty => Ok(Body::Empty),
        End::Echo => Ok(Body::Structured(call.input.clone())),
        End::Fail(failure) => Err(Failure {
            retry_after: failure.retry_after.clone(),
            ..Failure::new(failure.class, failure.message.clone())
        }),
        End::Hang => pending().await,
    }
}

/// Creates a text of this many bytes.
fn filler(count: u64) -> String {
    const LINE: &str = "The quick brown fox jumps over the lazy dog, and then does it once more.\n";
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(MOST_BYTES);
    LINE.chars().cycle().take(count).collect()
}

/// The largest result of a scripted tool.
const MOST_BYTES: usize = 64 << 20;

fn json(value: &serde_json::Value) -> Result<Json, Failure> {
    Json::from_value(value)
        .map_err(|error| Failure::new(ErrorClass::ExecutionFailed, error.to_string()))
}
