//! The record of a result.

use assent_ids::{InvocationId, ResultId, UnixMillis};
use assent_protocol::{
    agent_tool::{
        ArtifactRef, Cause, ContentBlock, Delivery, ErrorClass, MutationNote, ResourceRef,
        ResultStatus, Terminal, TerminalStatus, ToolError, ToolResult, terminal,
    },
    wire::Loose,
};

use serde_json::json;

use super::{ErrorDraft, HiddenCharacters, PersistedResult, hidden};

/// Everything that is known about the end of a call. The record made from it always follows the strict rules.
#[derive(Clone, Debug)]
pub(crate) struct ResultDraft {
    /// The id of the result.
    pub(crate) result_id: ResultId,
    /// The call.
    pub(crate) invocation_id: InvocationId,
    /// The time now.
    pub(crate) at: UnixMillis,
    /// How the call ended.
    pub(crate) end: TerminalStatus,
    /// The cause of that. The delivery is taken from `delivered`.
    pub(crate) cause: Cause,
    /// The output of the tool.
    pub(crate) delivered: Option<PersistedResult>,
    /// The error; a warning if the call did not fail.
    pub(crate) error: Option<ErrorDraft>,
    /// Parts of the work that failed although the call succeeded.
    pub(crate) partial_failures: Vec<ErrorDraft>,
    /// Further failures that did not change the outcome.
    pub(crate) warnings: Vec<ErrorDraft>,
    /// The changes of the input.
    pub(crate) mutations: Vec<MutationNote>,
    /// The runs of hooks that changed the output.
    pub(crate) output_hooks: Vec<String>,
    /// The artifacts that were made.
    pub(crate) artifacts: Vec<ArtifactRef>,
    /// The resources that can be fetched.
    pub(crate) resources: Vec<ResourceRef>,
    /// A reference to the native output.
    pub(crate) native_output_ref: Option<String>,
    /// The policies that took part.
    pub(crate) policy_refs: Vec<String>,
    /// The title of the tool.
    pub(crate) title: String,
    /// What happens to invisible characters in what the model is sent.
    pub(crate) hidden_characters: HiddenCharacters,
    /// A summary for people instead of the general one.
    pub(crate) ui_summary: Option<String>,
}

impl ResultDraft {
    /// A draft with the required fields.
    #[must_use]
    pub(crate) fn new(
        result_id: ResultId,
        invocation_id: InvocationId,
        at: UnixMillis,
        end: TerminalStatus,
    ) -> Self {
        Self {
            result_id,
            invocation_id,
            at,
            end,
            cause: Cause::default(),
            delivered: None,
            error: None,
            partial_failures: Vec::new(),
            warnings: Vec::new(),
            mutations: Vec::new(),
            output_hooks: Vec::new(),
            artifacts: Vec::new(),
            resources: Vec::new(),
            native_output_ref: None,
            policy_refs: Vec::new(),
            title: String::new(),
            hidden_characters: HiddenCharacters::default(),
            ui_summary: None,
        }
    }

    /// The record.
    #[must_use]
    pub(crate) fn assemble(mut self) -> ToolResult {
        self.cause.delivery = self.delivery();
        let ending = terminal(self.end, self.cause);
        let (error, remedy) = self.take_error(ending).unzip();
        let mut result =
            ToolResult::new(self.result_id, self.invocation_id, ending.status, self.at.into());
        result.is_error = Some(ending.is_error);
        result.synthetic = ending.status.is_synthetic().then(|| true.into());
        result.summary = Some(self.summary(error.as_ref()));
        result.ui_facing_summary = Some(self.ui_summary(ending, error.as_ref()));
        self.add_content(&mut result, error.as_ref().zip(remedy));
        self.add_refs(&mut result);
        self.add_notes(&mut result);
        result.error = error.map(|error| Box::new(Loose::from(error)));
        result
    }

    /// How much of the result is passed on. A loss outweighs an incomplete result, which outweighs one that can be
    /// fetched.
    fn delivery(&self) -> Delivery {
        let delivered = self.delivered.as_ref().map_or(Delivery::Whole, |result| result.delivery);
        let is_partial = !self.partial_failures.is_empty();
        match delivered {
            Delivery::TooLarge { retrievable: false } => delivered,
            _ if is_partial => Delivery::Partial,
            _ => delivered,
        }
    }

    /// The error and its remedy, if the result is one; otherwise a stated error becomes a warning.
    fn take_error(&mut self, ending: Terminal) -> Option<(ToolError, &'static str)> {
        let stated = self.error.take();
        let Some(class) = ending.error_class else {
            self.warnings.extend(stated);
            return None;
        };
        let explanation = self.delivered.as_ref().and_then(|result| result.explanation.clone());
        let mut draft =
            stated.unwrap_or_else(|| ErrorDraft::new(class, explanation.unwrap_or_default()));
        draft.class = class;
        draft.abort = self.cause.abort.or(draft.abort);
        draft.executed |= self.delivered.is_some();
        let remedy = draft.advice().remedy;
        Some((draft.build(self.at), remedy))
    }

    fn add_content(&mut self, result: &mut ToolResult, error: Option<(&ToolError, &str)>) {
        let Some(delivered) = self.delivered.take() else {
            if let Some((error, remedy)) = error {
                self.send_model(result, vec![explained(error, remedy)]);
            }
            return;
        };
        result.content = delivered.content.map(blocks);
        self.send_model(result, delivered.model_facing);
        result.structured_content = delivered.structured.map(|json| json.to_value());
        result.empty_result = delivered.is_empty.then(|| true.into());
        result.persistence_refs = Some(vec![delivered.record.decision_id.clone()]);
        result.content_digest = Some(Loose::Typed(delivered.digest.named()));
        if delivered.redacted_fields.is_empty() {
            // The stored bytes are the unchanged output of the tool.
            let stored = delivered.record.persisted_ref.as_ref().and_then(Loose::typed);
            let native = self.native_output_ref.take().or(stored.map(|place| place.uri.clone()));
            self.native_output_ref = native;
        } else {
            result.redaction_state = Some("redacted".to_owned());
        }
    }

    /// Sets what the model is sent, and records how many invisible characters were escaped in it.
    fn send_model(&self, result: &mut ToolResult, mut sent: Vec<ContentBlock>) {
        let escaped = match self.hidden_characters {
            HiddenCharacters::Escape => hidden::escape(&mut sent),
            HiddenCharacters::Keep => 0,
        };
        if escaped > 0 {
            result.extra.insert("hidden_characters".to_owned(), json!({ "escaped": escaped }));
        }
        result.model_facing_content = Some(blocks(sent));
    }

    fn add_refs(&mut self, result: &mut ToolResult) {
        let (artifacts, resources) =
            (std::mem::take(&mut self.artifacts), std::mem::take(&mut self.resources));
        let count = artifacts.len() + resources.len();
        let relation = || Some(format!("created_by:{}", self.invocation_id));
        let artifacts: Vec<_> = artifacts
            .into_iter()
            .filter(|artifact| !artifact.artifact_id.is_empty())
            .map(|mut artifact| {
                artifact.source_relation = artifact.source_relation.or_else(relation);
                Loose::from(artifact)
            })
            .collect();
        let resources: Vec<_> = resources
            .into_iter()
            .filter(|resource| !resource.uri.is_empty())
            .map(|mut resource| {
                resource.source_relation = resource.source_relation.or_else(relation);
                Loose::from(resource)
            })
            .collect();
        if artifacts.len() + resources.len() < count {
            let message = "the tool named something without saying what: it is left out";
            self.warnings.push(ErrorDraft::new(ErrorClass::ResultMappingFailed, message));
        }
        result.artifact_refs = filled(artifacts);
        result.resource_refs = filled(resources);
        let policies = std::mem::take(&mut self.policy_refs);
        result.policy_refs = filled(policies.into_iter().filter(|text| !text.is_empty()).collect());
        result.native_output_ref = self.native_output_ref.take().map(Loose::from);
    }

    fn add_notes(self, result: &mut ToolResult) {
        let drafts = self.partial_failures.into_iter().chain(self.warnings);
        let warnings: Vec<_> = drafts.map(|draft| draft.build(self.at)).collect();
        result.warnings = filled(warnings).map(Loose::from);
        result.input_mutations = filled(self.mutations).map(Loose::from);
        result.output_hook_refs = filled(self.output_hooks).map(Loose::from);
    }

    /// A summary for logs and lists that shows nothing of the content.
    fn summary(&mut self, error: Option<&ToolError>) -> String {
        match (error.and_then(|error| error.message.as_ref()), &mut self.delivered) {
            (Some(message), _) => message.clone(),
            (None, Some(delivered)) => std::mem::take(&mut delivered.gist),
            (None, None) => "done".to_owned(),
        }
    }

    fn ui_summary(&self, ending: Terminal, error: Option<&ToolError>) -> String {
        if let Some(stated) = &self.ui_summary {
            return stated.clone();
        }
        let title = if self.title.is_empty() { "The tool" } else { &self.title };
        let outcome = match ending.status {
            ResultStatus::Succeeded => "done",
            ResultStatus::PartialSucceeded => "done in part",
            ResultStatus::Redacted => "done; private parts are not shown",
            ResultStatus::TooLarge => "done; the result is too large to show",
            ResultStatus::Failed => "failed",
            ResultStatus::Denied => "not allowed",
            ResultStatus::Rejected => "rejected",
            ResultStatus::Canceled => "canceled",
            ResultStatus::TimedOut => "took too long",
            ResultStatus::SyntheticError => "ended by the runtime",
            ResultStatus::Discarded => "not needed any more",
        };
        match error.and_then(|error| error.message.as_ref()) {
            Some(message) => format!("{title}: {outcome} ({message})"),
            None => format!("{title}: {outcome}"),
        }
    }
}

/// An error in words for the model: its class, what happened, and what to do.
fn explained(error: &ToolError, remedy: &str) -> ContentBlock {
    let message = error.message.as_deref().unwrap_or_default();
    ContentBlock::text(format!("{}: {message}\n{remedy}", error.error_class))
}

fn blocks(blocks: Vec<ContentBlock>) -> Vec<Loose<ContentBlock>> {
    blocks.into_iter().map(Loose::from).collect()
}

fn filled<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}
