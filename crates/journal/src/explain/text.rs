//! An explanation for people to read.

use std::fmt::{self, Display, Formatter};

use assent_json::shorten;
use assent_protocol::wire::Timestamp;

use super::{Explanation, HookVoice, Stored, TrustBasis};
use crate::{Asked, Decided, Mutated};

/// The maximum length of a foreign text, in characters.
const MAX_SHOWN: usize = 300;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "call {} of `{}`", self.invocation, visible(&self.requested))?;
        match &self.tool {
            Some(tool) => writeln!(f, ", which is the tool {}", visible(tool.as_str()))?,
            None => writeln!(f, ", which is no tool on offer")?,
        }
        write_optional(f, "  what the tool was: sha256:", self.definition.as_ref())?;
        write_optional(f, "  asked by: ", self.actor.as_ref().map(|actor| visible(actor)))?;
        let native = self.native_call_id.as_ref();
        write_optional(f, "  native call id: ", native.map(|id| visible(id.as_str())))?;
        for mapping in &self.mappings {
            let ids = serde_json::to_string(mapping).map_err(|_| fmt::Error)?;
            writeln!(f, "  native ids: {}", visible(&ids))?;
        }
        writeln!(f, "  asked for at {}", Timestamp::from(self.asked_at))?;
        self.fmt_inputs(f)?;
        self.hooks.iter().try_for_each(|hook| fmt_hook(f, hook))?;
        self.questions.iter().try_for_each(|asked| fmt_question(f, asked))?;
        for (at, decided) in &self.decisions {
            fmt_decision(f, &Timestamp::from(*at), decided)?;
        }
        writeln!(f, "it is `{}` since {}", self.status, Timestamp::from(self.since))?;
        self.result.iter().try_for_each(|result| fmt_result(f, result))?;
        self.stored.iter().try_for_each(|stored| fmt_stored(f, stored))?;
        self.redacted.iter().try_for_each(|field| writeln!(f, "  removed: {}", visible(field)))
    }
}

impl Explanation {
    fn fmt_inputs(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let inputs = &self.inputs;
        writeln!(f, "inputs")?;
        writeln!(f, "  of the model:    sha256:{}", inputs.model)?;
        write_optional(f, "  observable:      sha256:", inputs.observable.as_ref())?;
        write_optional(f, "  as judged:       sha256:", inputs.permission.as_ref())?;
        write_optional(f, "  as executed:     sha256:", inputs.call.as_ref())?;
        self.mutations.iter().try_for_each(|mutated| fmt_mutation(f, mutated))
    }
}

fn fmt_mutation(f: &mut Formatter<'_>, mutated: &Mutated) -> fmt::Result {
    write!(f, "  changed by {}", mutated.source)?;
    if let Some(source) = &mutated.source_ref {
        write!(f, " {}", visible(source))?;
    }
    let changed: Vec<String> = mutated.changed.iter().map(|field| visible(field)).collect();
    write!(f, " at [{}]", changed.join(", "))?;
    write_reason(f, mutated.reason.as_deref())
}

fn fmt_hook(f: &mut Formatter<'_>, hook: &HookVoice) -> fmt::Result {
    write!(f, "hook {} ({}, {})", visible(hook.hook.as_str()), hook.event, hook.run)?;
    match hook.verdict {
        Some(verdict) => write!(f, " said {verdict}")?,
        None if hook.failed => write!(f, " broke")?,
        None => write!(f, " gave no verdict")?,
    }
    let also = [
        (hook.stopped, " and stopped the call"),
        (hook.changed_input, " and changed the input"),
        (hook.changed_output, " and changed the output"),
    ];
    also.iter().filter(|(holds, _)| *holds).try_for_each(|(_, words)| f.write_str(words))?;
    write_reason(f, hook.reason.as_deref())
}

fn fmt_question(f: &mut Formatter<'_>, asked: &Asked) -> fmt::Result {
    let binding = &asked.binding;
    write!(f, "question {} for approval {}", asked.prompt, binding.approval)?;
    writeln!(f, " of arguments sha256:{} as shown in sha256:{}", binding.arguments, binding.view)
}

fn fmt_decision(f: &mut Formatter<'_>, at: &Timestamp, decided: &Decided) -> fmt::Result {
    write!(f, "decision {} at {at}: {} by {}", decided.id, decided.behavior, decided.reason)?;
    let rules: Vec<String> = decided.rules.iter().map(|rule| visible(rule.id.as_str())).collect();
    if !rules.is_empty() {
        write!(f, " {}", rules.join(", "))?;
    }
    if let Some(source) = decided.source {
        write!(f, " from {source}")?;
    }
    write!(f, " in mode {}", visible(&decided.mode))?;
    write_reason(f, decided.message.as_deref())?;
    write_optional(f, "  grant: ", decided.grant.as_ref().map(|grant| visible(grant)))?;
    write_optional(f, "  approval: ", decided.approval.as_ref())?;
    for policy in &decided.policies {
        writeln!(f, "  policy: {}", visible(policy))?;
    }
    for note in &decided.classifiers {
        let answer = match note.answer {
            Some(true) => "yes",
            Some(false) => "no",
            None => "no answer",
        };
        writeln!(
            f,
            "  classifier {} on {}: {answer}",
            visible(&note.classifier),
            visible(&note.fact)
        )?;
    }
    let feedback = decided.feedback.as_deref().map(visible);
    write_optional(f, "  the person said: ", feedback)?;
    if decided.user_modified { writeln!(f, "  the person changed the input") } else { Ok(()) }
}

fn fmt_result(f: &mut Formatter<'_>, result: &TrustBasis) -> fmt::Result {
    write!(f, "result {} is `{}`", visible(result.id.as_str()), visible(result.status.as_str()))?;
    if let Some(class) = &result.error_class {
        write!(f, " ({})", visible(class.as_str()))?;
    }
    writeln!(f)?;
    match result.executed {
        Some(true) => writeln!(f, "  the tool was started")?,
        Some(false) => writeln!(f, "  the tool was not started")?,
        None => {}
    }
    if result.synthetic {
        writeln!(f, "  the runtime wrote it, not the tool")?;
    }
    if result.side_effects_unknown {
        writeln!(f, "  the tool may have done something before it was lost")?;
    }
    result
        .mapped_by
        .iter()
        .try_for_each(|run| writeln!(f, "  changed by hook run {}", visible(run)))
}

fn fmt_stored(f: &mut Formatter<'_>, stored: &Stored) -> fmt::Result {
    write!(f, "  stored: {}", stored.strategy)?;
    if let Some(uri) = &stored.uri {
        write!(f, " at {}", visible(uri))?;
    }
    if let Some(digest) = &stored.digest {
        write!(f, ", {}", visible(digest))?;
    }
    writeln!(f)
}

fn write_optional(f: &mut Formatter<'_>, label: &str, value: Option<impl Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| writeln!(f, "{label}{value}"))
}

fn write_reason(f: &mut Formatter<'_>, reason: Option<&str>) -> fmt::Result {
    match reason {
        Some(reason) => writeln!(f, ": {}", visible(reason)),
        None => writeln!(f),
    }
}

/// A foreign text on one line: it cannot begin a new line or control a terminal.
fn visible(text: &str) -> String {
    assent_json::visible(&shorten(text, MAX_SHOWN))
}
