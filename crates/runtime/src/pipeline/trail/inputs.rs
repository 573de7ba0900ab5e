//! The inputs of a call and the changes between them.

use assent_ids::MutationId;
use assent_journal::Mutated;
use assent_json::{Digest, Json};
use assent_protocol::agent_tool::MutationNote;

use crate::results::Scrubber;

/// The real inputs of a call; only copies with sensitive values replaced reach the journal.
#[derive(Clone, Debug)]
pub(crate) struct FourInputs {
    pub(crate) model: Json,
    pub(crate) observable: Option<Json>,
    pub(crate) permission: Option<Json>,
    pub(crate) call: Option<Json>,
}

/// The inputs of a call with everything that was recorded about them.
pub(crate) struct InputTrail {
    pub(crate) model: Json,
    pub(crate) observable: Option<Json>,
    pub(crate) permission: Option<Json>,
    pub(crate) call: Option<Json>,
    pub(crate) mutations: Vec<MutationNote>,
    pub(crate) mutation_ids: Vec<MutationId>,
    /// The changes by their digests, before and after, as the journal shows them.
    changes: Vec<(Digest, Digest)>,
    /// The inputs come from the journal, with sensitive values replaced: the real ones are gone.
    pub(super) is_recorded: bool,
    /// Replaces the sensitive values of the inputs in other texts.
    pub(super) scrubber: Option<Scrubber>,
}

impl InputTrail {
    pub(super) fn new(model: Json) -> Self {
        Self {
            model,
            observable: None,
            permission: None,
            call: None,
            mutations: Vec::new(),
            mutation_ids: Vec::new(),
            changes: Vec::new(),
            is_recorded: false,
            scrubber: None,
        }
    }

    /// What the executor was given, or what the model wrote if the executor was given nothing.
    pub(crate) fn executed(&self) -> &Json {
        self.call.as_ref().unwrap_or(&self.model)
    }

    pub(super) fn restore(&mut self, inputs: FourInputs) {
        let FourInputs { model, observable, permission, call } = inputs;
        (self.model, self.observable) = (model, observable);
        (self.permission, self.call) = (permission, call);
    }

    pub(super) fn add_mutation(&mut self, mutation: &Mutated) {
        let mut note = MutationNote::new(mutation.id, mutation.source);
        note.source_ref.clone_from(&mutation.source_ref);
        note.changed_fields = Some(mutation.changed.clone());
        self.mutations.push(note);
        self.mutation_ids.push(mutation.id);
        self.changes.push((mutation.from, mutation.to));
    }

    /// The digest of the input after all recorded changes, if each of them follows from the one before it.
    pub(super) fn digest_after_changes(&self, first: Digest) -> Option<Digest> {
        let mut changes = self.changes.iter();
        changes.try_fold(first, |digest, (from, to)| (*from == digest).then_some(*to))
    }
}
