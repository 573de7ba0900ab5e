//! The names of a tool that rules, grants and hooks match.

use std::borrow::Cow;

use crate::{Glob, Question};

/// The names of a tool that rules and hooks match: its id, its qualified name, its bare name.
#[derive(Debug)]
pub struct ToolNames<'q> {
    id: &'q str,
    name: Option<&'q str>,
    qualified: Option<Cow<'q, str>>,
}

impl<'q> ToolNames<'q> {
    pub(crate) fn of(question: &Question<'q>) -> Self {
        let Question { tool_id, namespace, name, .. } = *question;
        match question.qualified {
            Some(qualified) => {
                let is_other = !namespace.is_empty() && qualified != tool_id;
                let qualified = is_other.then_some(Cow::Borrowed(qualified));
                Self { id: tool_id, name: (name != tool_id).then_some(name), qualified }
            }
            None => Self::new(tool_id, namespace, name),
        }
    }

    /// Creates the names of a tool, without duplicates.
    #[must_use]
    pub fn new(id: &'q str, namespace: &str, name: &'q str) -> Self {
        let is_id =
            id.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('/')) == Some(name);
        let qualified =
            (!namespace.is_empty() && !is_id).then(|| [namespace, "/", name].concat().into());
        Self { id, name: (name != id).then_some(name), qualified }
    }

    /// Iterates over the names.
    pub fn each(&self) -> impl Iterator<Item = &str> + Clone {
        [Some(self.id), self.name, self.qualified.as_deref()].into_iter().flatten()
    }

    /// Returns `true` if any of the names matches.
    #[must_use]
    pub fn any(&self, pattern: &Glob) -> bool {
        self.each().any(|name| pattern.matches(name))
    }
}

#[cfg(test)]
mod tests {
    use assent_ids::UnixMillis;
    use assent_json::{Digest, Json};

    use super::ToolNames;
    use crate::{Mode, Question, Safety};

    #[test]
    fn names_are_the_same_whether_the_qualified_one_is_at_hand_or_not() {
        let input = Json::read("{}").unwrap();
        let tools = [("a/b", "a", "b"), ("x:1", "a", "b"), ("b", "", "b"), ("b", "a", "b")];
        for (tool_id, namespace, name) in tools {
            let qualified = format!("{namespace}/{name}");
            let question = Question {
                tool_id,
                namespace,
                name,
                qualified: None,
                aliases: &[],
                operation: None,
                definition: Digest::of(b""),
                safety: Safety { read_only: true, destructive: false, open_world: false },
                requires_approval: false,
                actor: None,
                session: None,
                input: input.root(),
                mode: Mode::Interactive,
                opinions: &[],
                now: UnixMillis::new(0),
            };
            let at_hand = Question { qualified: Some(&qualified), ..question };
            let (names, same) = (ToolNames::of(&question), ToolNames::of(&at_hand));
            assert_eq!(names.each().collect::<Vec<_>>(), same.each().collect::<Vec<_>>());
        }
    }
}
