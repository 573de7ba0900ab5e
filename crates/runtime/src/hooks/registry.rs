//! Which hooks there are.

use std::collections::BTreeMap;

use assent_policy::{Glob, GlobError};
use assent_protocol::agent_tool::{HookEvent, ToolHook};
use serde_json::Value;

use super::Registration;

/// All hooks, by event, in the order of registration.
#[derive(Clone, Default)]
pub struct Hooks {
    by_event: BTreeMap<HookEvent, Vec<Registration>>,
}

impl Hooks {
    /// Adds a hook after those that are there.
    pub fn register(&mut self, registration: Registration) {
        self.by_event.entry(registration.event).or_default().push(registration);
    }

    /// The hooks that look at this event of this tool, in order.
    pub(crate) fn matching<'a, 't>(
        &'a self,
        event: HookEvent,
        namespace: &'t str,
        name: &'t str,
    ) -> impl Iterator<Item = &'a Registration> + use<'a, 't> {
        let all = self.by_event.get(&event).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(move |hook| hook.tools.matches(namespace, name))
    }

    /// The registrations as records.
    pub(crate) fn records(&self) -> impl Iterator<Item = ToolHook> + '_ {
        self.by_event.values().flatten().map(|registration| {
            let mut record = ToolHook::new(registration.id.clone(), registration.event);
            let matcher = [("tool".to_owned(), Value::from(registration.tools.as_str()))];
            record.matcher = Some(matcher.into_iter().collect());
            record
        })
    }
}

/// Tools by name: `*` stands for any text; a pattern with a `/` looks at `namespace/name`, any other at
/// the name.
#[derive(Clone, Debug)]
pub struct ToolPattern(Glob);

impl ToolPattern {
    /// The pattern with this text.
    ///
    /// # Errors
    /// If it is too long.
    pub fn parse(text: &str) -> Result<Self, GlobError> {
        Glob::parse(text).map(Self)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the pattern speaks of this tool.
    #[must_use]
    pub fn matches(&self, namespace: &str, name: &str) -> bool {
        if self.0.as_str().contains('/') {
            self.0.matches(&format!("{namespace}/{name}"))
        } else {
            self.0.matches(name)
        }
    }
}
