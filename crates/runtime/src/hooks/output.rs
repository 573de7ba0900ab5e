//! What a tool gave back, as hooks see it.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use assent_json::Json;

use crate::pipeline::map_result::Ending;

/// An output, a text as a JSON string. It is written when a hook first looks at it: many never do.
#[derive(Clone, Default)]
pub struct SeenOutput {
    ending: Option<Arc<Ending>>,
    written: OnceLock<Option<Json>>,
}

impl SeenOutput {
    pub(crate) fn of(ending: &Arc<Ending>) -> Self {
        Self { ending: Some(Arc::clone(ending)), written: OnceLock::new() }
    }

    /// The output; none in the events before there is one.
    #[must_use]
    pub fn get(&self) -> Option<&Json> {
        let write = || self.ending.as_ref()?.as_json();
        self.written.get_or_init(write).as_ref()
    }
}

impl From<Json> for SeenOutput {
    fn from(output: Json) -> Self {
        Self { ending: None, written: OnceLock::from(Some(output)) }
    }
}

impl fmt::Debug for SeenOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
