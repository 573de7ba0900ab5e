//! JSON Pointers (RFC 6901).

use std::fmt;

/// The path from the root of a document to a value: the empty text is the whole document.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer to the whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer to the member `key` of what this one points at.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        push_token(&mut text, key);
        Self(text)
    }

    /// The pointer to the element `index` of what this one points at.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The pointer that leads from here along `rest`.
    #[must_use]
    pub fn join(&self, rest: &Pointer) -> Self {
        Self(format!("{}{}", self.0, rest.0))
    }

    /// The steps that the text of a pointer consists of, without escapes.
    pub fn tokens(text: &str) -> impl Iterator<Item = String> {
        text.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// The pointer that consists of these steps.
    pub fn from_tokens(tokens: impl Iterator<Item = String>) -> Self {
        let mut text = String::new();
        tokens.for_each(|token| push_token(&mut text, &token));
        Self(text)
    }

    /// The text of the pointer.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Prepends `key`: a pointer from the value of the member becomes a pointer from the object.
    pub(crate) fn prepend_key(&mut self, key: &str) {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        push_token(&mut text, key);
        text.push_str(&self.0);
        self.0 = text;
    }

    pub(crate) fn prepend_index(&mut self, index: usize) {
        self.0 = format!("/{index}{}", self.0);
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn push_token(text: &mut String, key: &str) {
    text.push('/');
    for character in key.chars() {
        match character {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn tildes_and_slashes_are_escaped() {
        assert_eq!(Pointer::root().key("a/b").key("m~n").index(3).as_str(), "/a~1b/m~0n/3");
    }

    #[test]
    fn a_pointer_is_taken_apart_and_put_together_again() {
        let text = "/a~1b/m~0n//3";
        let tokens: Vec<_> = Pointer::tokens(text).collect();
        assert_eq!(tokens, ["a/b", "m~n", "", "3"]);
        assert_eq!(Pointer::from_tokens(tokens.into_iter()).as_str(), text);
    }

    #[test]
    fn prepending_builds_the_same_path_from_its_end() {
        let mut pointer = Pointer::root().index(3);
        pointer.prepend_key("a/b");
        assert_eq!(pointer, Pointer::root().key("a/b").index(3));
    }
}
