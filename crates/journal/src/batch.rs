//! What is written in one go: all of it or nothing.

use std::{borrow::Cow, sync::Arc};

use assent_ids::InvocationId;

use crate::Drafts;

/// Facts that belong together, and what has to hold for them to be recorded at all.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The facts, in order.
    pub drafts: Drafts,
    /// What must still be free. If one of them is not, nothing of the batch is recorded.
    pub claims: Vec<Claim>,
    /// What a call needs to go on after a crash; it replaces what was held for the call before.
    pub hold: Option<Held>,
    /// The call that has ended: nothing is held for it any longer.
    pub release: Option<InvocationId>,
}

/// Something that can be used a limited number of times: an approval once, the start of a call once,
/// a grant as often as its giver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is used, for instance `approval:apr_…`.
    pub key: Arc<str>,
    /// How often it can be used in all.
    pub limit: u32,
}

/// What a call needs to go on after a crash, with the real values of sensitive fields. It is never
/// exported and is erased when the call ends.
#[derive(Clone, PartialEq, Eq)]
pub struct Held {
    /// The call.
    pub invocation: InvocationId,
    /// The state, in the form of whoever holds it.
    pub state: State,
}

/// The state of a call. It is written down only by journals that outlive the process, and when
/// somebody reads it.
#[derive(Clone)]
pub struct State(Form);

#[derive(Clone)]
enum Form {
    Nothing,
    Written(Arc<[u8]>),
    Live(Arc<dyn Unwritten>),
}

/// A state that can be written down.
pub trait Unwritten: Send + Sync {
    /// The text.
    fn write(&self) -> Vec<u8>;
}

impl State {
    /// What is held for a call that needs nothing to go on.
    #[must_use]
    pub fn nothing() -> Self {
        Self(Form::Nothing)
    }

    /// A state that is written down when it has to be.
    #[must_use]
    pub fn live(state: Arc<dyn Unwritten>) -> Self {
        Self(Form::Live(state))
    }

    /// The text.
    #[must_use]
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.0 {
            Form::Nothing => Cow::Borrowed(&[]),
            Form::Written(bytes) => Cow::Borrowed(bytes),
            Form::Live(state) => Cow::Owned(state.write()),
        }
    }

    /// The same, written down.
    pub(crate) fn written(self) -> Arc<[u8]> {
        match self.0 {
            Form::Nothing => Arc::default(),
            Form::Written(bytes) => bytes,
            Form::Live(state) => state.write().into(),
        }
    }
}

impl From<Arc<[u8]>> for State {
    fn from(bytes: Arc<[u8]>) -> Self {
        Self(Form::Written(bytes))
    }
}

impl From<Vec<u8>> for State {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Form::Written(bytes.into()))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for State {}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Held({}, {} bytes)", self.invocation, self.state.bytes().len())
    }
}
