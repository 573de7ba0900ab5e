//! Which tools a rule, a grant or a hook speaks of.

use crate::{Glob, Question};

/// The names under which a rule or a hook may speak of a tool: its id, its qualified name, its bare name.
#[derive(Debug)]
pub struct ToolNames<'q> {
    id: &'q str,
    name: Option<&'q str>,
    qualified: Option<String>,
}

impl<'q> ToolNames<'q> {
    pub(crate) fn of(question: &Question<'q>) -> Self {
        Self::new(question.tool_id, question.namespace, question.name)
    }

    /// Those of a tool. Names that are equal are kept once.
    #[must_use]
    pub fn new(id: &'q str, namespace: &str, name: &'q str) -> Self {
        let is_id =
            id.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('/')) == Some(name);
        let qualified = (!namespace.is_empty() && !is_id).then(|| [namespace, "/", name].concat());
        Self { id, name: (name != id).then_some(name), qualified }
    }

    /// Each name once.
    pub fn each(&self) -> impl Iterator<Item = &str> + Clone {
        [Some(self.id), self.name, self.qualified.as_deref()].into_iter().flatten()
    }

    /// Whether any of the names matches.
    #[must_use]
    pub fn any(&self, pattern: &Glob) -> bool {
        self.each().any(|name| pattern.matches(name))
    }
}
