//! The registered hooks.

use assent_policy::{Glob, GlobError, ToolNames};
use assent_protocol::agent_tool::{HookEvent, ToolHook};
use serde_json::Value;

use super::Registration;
use crate::catalog::Tool;

/// All hooks, in the order of registration.
#[derive(Clone, Default)]
pub struct Hooks {
    all: Vec<Registration>,
}

impl Hooks {
    /// Adds a hook after the registered ones.
    pub fn register(&mut self, registration: Registration) {
        self.all.push(registration);
    }

    /// The hooks for an event of a tool, in order.
    pub(crate) fn matching<'a>(
        &'a self,
        event: HookEvent,
        tool: &'a Tool,
    ) -> impl Iterator<Item = &'a Registration> + use<'a> {
        self.all.iter().filter(move |hook| hook.event == event && hook.tools.matches(tool))
    }

    /// The registrations as records, by event.
    pub(crate) fn records(&self) -> impl Iterator<Item = ToolHook> + '_ {
        let mut all: Vec<&Registration> = self.all.iter().collect();
        all.sort_by_key(|registration| registration.event);
        all.into_iter().map(|registration| {
            let mut record = ToolHook::new(registration.id.clone(), registration.event);
            let matcher = [("tool".to_owned(), Value::from(registration.tools.as_str()))];
            record.matcher = Some(matcher.into_iter().collect());
            record
        })
    }
}

/// A pattern for tools, as in rules: `*` stands for any text and `?` for one character. It matches the id of a
/// tool, its `namespace/name` or its name. A hook also runs for a tool whose alias matches, with or without its
/// namespace, so that calling a tool by an alias does not bypass the hook.
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

    /// Returns `true` if the pattern matches the tool by any of its names.
    #[must_use]
    pub fn matches(&self, tool: &Tool) -> bool {
        let namespace = tool.namespace.as_str();
        let is_alias = |alias: &str| {
            self.0.matches(alias) || self.0.matches(&[namespace, "/", alias].concat())
        };
        self.names(tool) || tool.aliases.iter().any(|alias| is_alias(alias.as_str()))
    }

    /// Returns `true` if the pattern matches the tool by its id or its own name. Aliases do not count: a
    /// producer can choose them freely, for example to be the name of a trusted tool.
    pub(crate) fn names(&self, tool: &Tool) -> bool {
        self.0.matches(tool.id.as_str())
            || ToolNames::new(tool.id.as_str(), tool.namespace.as_str(), tool.name.as_str())
                .any(&self.0)
    }
}
