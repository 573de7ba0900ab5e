//! `run`: the script of a tool.

use assent_document::{
    Fields, Kind, Node,
    readers::{any, number_within, parsed, some_text, text, whole, word},
};
use assent_protocol::{
    agent_tool::RetryAfter,
    wire::{Percent, Word as _},
};
use serde::Deserialize as _;

use super::leaf::{listed, millis, yes};
use crate::{Artifact, End, Failure, Progress, Script, Step, vocabulary::vocabulary};

/// The largest result: large enough to exceed every limit, and small enough to fit in memory.
const MAX_RETURNED_BYTES: u64 = 64 * 1024 * 1024;

vocabulary! {
    /// The words for steps.
    LineWord {
        Progress = "progress",
        Sleep = "sleep_ms",
        Partial = "partial",
        NeedInput = "need_input",
        Artifact = "artifact",
        ContextModifier = "context_modifier",
        Return = "return",
        ReturnText = "return_text",
        ReturnBytes = "return_bytes",
        ReturnEmpty = "return_empty",
        Echo = "echo",
        Fail = "fail",
        Hang = "hang",
    }
}

/// One line of a script.
enum Line {
    Step(Step),
    End(End),
}

pub(super) fn script(node: &Node<'_>) -> Option<Script> {
    let mut steps = Vec::new();
    let mut end = None;
    let mut is_whole = true;
    let mut ended = false;
    for item in node.items()? {
        if ended {
            item.problem("nothing can follow the step that ends the run");
            is_whole = false;
            break;
        }
        ended = says_end(&item);
        match line(&item) {
            Some(Line::Step(step)) => steps.push(step),
            Some(Line::End(last)) => end = Some(last),
            None => is_whole = false,
        }
    }
    if is_whole && end.is_none() {
        let ends = listed(LineWord::WORDS.iter().copied().filter(|word| word.is_end()));
        node.problem(format!("the last step must be one of {ends}"));
    }
    Some(Script { steps, end: end? })
}

/// Returns `true` if a line ends the script, even if it has a mistake.
fn says_end(node: &Node<'_>) -> bool {
    let ends = |key: &str| LineWord::find(key).is_some_and(LineWord::is_end);
    node.kind() == Kind::Object
        && node.members().is_some_and(|mut members| members.any(|(key, _)| ends(key)))
}

impl LineWord {
    fn is_end(self) -> bool {
        match self {
            Self::Progress
            | Self::Sleep
            | Self::Partial
            | Self::NeedInput
            | Self::Artifact
            | Self::ContextModifier => false,
            Self::Return
            | Self::ReturnText
            | Self::ReturnBytes
            | Self::ReturnEmpty
            | Self::Echo
            | Self::Fail
            | Self::Hang => true,
        }
    }
}

fn line(node: &Node<'_>) -> Option<Line> {
    let mut fields = Fields::of(node)?;
    let chosen: LineWord = fields.choice()?;
    let key = chosen.word();
    let bytes = |node: &Node<'_>| whole(node, 0..=MAX_RETURNED_BYTES);
    match chosen {
        LineWord::Progress => fields.required(key, progress).map(Step::Progress).map(Line::Step),
        LineWord::Sleep => fields.required(key, millis).map(Step::Sleep).map(Line::Step),
        LineWord::Partial => fields.required(key, any).map(Step::Partial).map(Line::Step),
        LineWord::NeedInput => fields.required(key, need_input).map(Line::Step),
        LineWord::Artifact => fields.required(key, artifact).map(Step::Artifact).map(Line::Step),
        LineWord::ContextModifier => {
            fields.required(key, any).map(Step::ContextModifier).map(Line::Step)
        }
        LineWord::Return => fields.required(key, any).map(End::Return).map(Line::End),
        LineWord::ReturnText => fields.required(key, text).map(End::ReturnText).map(Line::End),
        LineWord::ReturnBytes => fields.required(key, bytes).map(End::ReturnBytes).map(Line::End),
        LineWord::ReturnEmpty => fields.required(key, yes).map(|()| Line::End(End::ReturnEmpty)),
        LineWord::Echo => fields.required(key, yes).map(|()| Line::End(End::Echo)),
        LineWord::Fail => fields.required(key, failure).map(End::Fail).map(Line::End),
        LineWord::Hang => fields.required(key, yes).map(|()| Line::End(End::Hang)),
    }
}

/// Reads a progress report of a tool or a hook.
pub(super) fn progress(node: &Node<'_>) -> Option<Progress> {
    let mut fields = Fields::of(node)?;
    let percent = fields.optional("percent", percent);
    let message = fields.optional("message", text);
    Some(Progress { percent, message })
}

fn percent(node: &Node<'_>) -> Option<Percent> {
    number_within(node, 0.0..=100.0).and_then(Percent::new)
}

fn need_input(node: &Node<'_>) -> Option<Step> {
    let mut fields = Fields::of(node)?;
    let prompt = fields.required("prompt", text);
    Some(Step::NeedInput { prompt: prompt? })
}

fn artifact(node: &Node<'_>) -> Option<Artifact> {
    let mut fields = Fields::of(node)?;
    let artifact_id = fields.required("artifact_id", parsed);
    let media_type = fields.required("media_type", some_text);
    let uri = fields.optional("uri", some_text);
    Some(Artifact { artifact_id: artifact_id?, media_type: media_type?, uri })
}

fn failure(node: &Node<'_>) -> Option<Failure> {
    let mut fields = Fields::of(node)?;
    let class = fields.required("class", word);
    let message = fields.required("message", text);
    let retry_after = fields.optional("retry_after", retry_after);
    Some(Failure { class: class?, message: message?, retry_after })
}

fn retry_after(node: &Node<'_>) -> Option<RetryAfter> {
    let read = RetryAfter::deserialize(node.to_value()).ok();
    let makes_sense = read.filter(|read| match read {
        RetryAfter::Seconds(_) | RetryAfter::Unknown(()) => true,
        RetryAfter::Fraction(seconds) => seconds.as_f64().is_some_and(|seconds| seconds >= 0.0),
        RetryAfter::At(time) => time.instant().is_ok(),
    });
    if makes_sense.is_none() {
        node.problem("expected a number of seconds, or a time such as `2026-05-08T00:00:00Z`");
    }
    makes_sense
}
