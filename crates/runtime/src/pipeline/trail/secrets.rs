//! What records may show of a call.

use assent_journal::Inputs;
use assent_json::{Digest, Json};

use super::Trail;
use crate::{
    executor::{Failure, Progress},
    results::Scrubber,
};

impl Trail {
    /// Replaces the sensitive values of `input` in every text from now on.
    pub(crate) fn hide_values_of(&mut self, input: &Json) {
        let has_values = !self.inputs.is_recorded && !self.ctx.reveals;
        let Some(tool) = self.tool.as_ref().filter(|_| has_values) else { return };
        let values = tool.sensitive.values(input);
        self.hide(values);
    }

    /// Replaces these values in every text from now on.
    pub(crate) fn hide(&mut self, values: Vec<String>) {
        if !values.is_empty() {
            self.inputs.scrubber.get_or_insert_default().add(values);
        }
    }

    /// The values that are replaced.
    pub(super) fn hidden_values(&self) -> Vec<String> {
        self.scrubber().into_iter().flat_map(Scrubber::values).map(str::to_owned).collect()
    }

    /// The input as records show it.
    pub(crate) fn shown(&self, input: &Json) -> Json {
        match &self.tool {
            Some(tool) if !self.inputs.is_recorded && !self.ctx.reveals => {
                tool.sensitive.redact(input, &self.ctx.key)
            }
            _ => input.clone(),
        }
    }

    /// A digest of an input that may be recorded. It is keyed if the tool has sensitive fields, because
    /// short values could be guessed from a plain digest.
    pub(crate) fn commitment(&self, input: &Json) -> Digest {
        match &self.tool {
            Some(tool) if !tool.sensitive.is_empty() => {
                self.ctx.key.digest(&input.root().canonical())
            }
            _ => input.digest(),
        }
    }

    /// The four inputs as records show them.
    pub(crate) fn shown_inputs(&self) -> Inputs {
        let shown = |input: &Option<Json>| input.as_ref().map(|input| self.shown(input));
        Inputs {
            model: self.shown(&self.inputs.model),
            observable: shown(&self.inputs.observable),
            permission: shown(&self.inputs.permission),
            call: shown(&self.inputs.call),
        }
    }

    pub(crate) fn scrubber(&self) -> Option<&Scrubber> {
        self.inputs.scrubber.as_ref()
    }

    /// A text without sensitive values.
    pub(crate) fn scrub(&self, text: &str) -> String {
        self.scrubber().map_or_else(|| text.to_owned(), |scrubber| scrubber.text(text))
    }

    /// Texts without sensitive values.
    pub(crate) fn scrub_all(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.scrub(text)).collect()
    }

    /// A failure without sensitive values.
    pub(crate) fn scrub_failure(&self, failure: Failure) -> Failure {
        match self.scrubber() {
            Some(scrubber) => scrubber.failure(failure),
            None => failure,
        }
    }

    /// A progress report without sensitive values.
    pub(crate) fn scrub_progress(&self, progress: Progress) -> Progress {
        match self.scrubber() {
            Some(scrubber) => scrubber.progress(progress),
            None => progress,
        }
    }

    /// A document without sensitive values.
    pub(crate) fn scrub_json(&self, json: &Json) -> Json {
        self.scrubber().map_or_else(|| json.clone(), |scrubber| scrubber.json(json))
    }
}
