//! What a call carries from stage to stage besides its inputs.

use std::sync::Arc;

use assent_journal::{Asked, Binding};

use crate::{
    catalog::Tool, control::Control, request::ModelInput, scheduler::Place, surface::Surface,
};

/// A call that has just come in.
pub(crate) struct Arrived {
    pub(crate) requested: Arc<str>,
    pub(crate) input: ModelInput,
    pub(crate) surface: Arc<Surface>,
    pub(crate) control: Arc<Control>,
    pub(crate) place: Arc<Place>,
}

/// What is known of a call that a crash interrupted.
#[derive(Default)]
pub(crate) struct Resumed {
    /// The question that a person was asked and has not answered.
    pub(crate) asked: Option<Arc<Asked>>,
    /// What a person agreed to.
    pub(crate) approved: Option<Arc<Binding>>,
}

/// A call whose tool is known.
pub(crate) struct Calling {
    pub(crate) tool: Arc<Tool>,
    pub(crate) control: Arc<Control>,
    pub(crate) place: Arc<Place>,
    pub(crate) resumed: Resumed,
}
