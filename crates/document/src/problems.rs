//! All mistakes of a document.

use std::fmt;

use assent_json::Problem;

/// Every mistake of a document, in the order of its text. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// The problems of a document, of which there is at least one.
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        Self(problems)
    }

    /// A problem with the document as a whole.
    #[must_use]
    pub fn of_document(message: impl Into<String>) -> Self {
        let message = message.into();
        Self(vec![Problem { path: String::new(), line: 1, column: 1, message }])
    }

    /// The problems, in the order of the text.
    #[must_use]
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// Iterates over the problems, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }
}

impl<'p> IntoIterator for &'p Problems {
    type Item = &'p Problem;
    type IntoIter = std::slice::Iter<'p, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One line per problem.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}
