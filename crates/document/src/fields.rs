//! The members of an object, read by name. Members that were not asked for are mistakes.

use assent_protocol::wire::Word;

use crate::{
    Kind, Node,
    suggest::{nearest, quoted, words},
};

/// An object that is being read. When it is dropped, the members that no reader asked for are
/// reported; so a reader asks for everything it knows before it returns.
pub struct Fields<'a, 'd> {
    node: &'a Node<'d>,
    asked: Vec<&'static str>,
}

impl<'a, 'd> Fields<'a, 'd> {
    /// The members of an object. Reports any other value.
    #[must_use]
    pub fn of(node: &'a Node<'d>) -> Option<Self> {
        node.require(Kind::Object, "an object")?;
        Some(Self { node, asked: Vec::new() })
    }

    /// Returns `true` if the object has the member `key`, whatever its value.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.node.value.get(key).is_some()
    }

    /// Reads the member `key` if it is there.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        reader: impl FnOnce(&Node<'d>) -> Option<T>,
    ) -> Option<T> {
        self.asked.push(key);
        reader(&self.node.member(key)?)
    }

    /// Reads the member `key`, or returns the default of its type.
    pub fn or_default<T: Default>(
        &mut self,
        key: &'static str,
        reader: impl FnOnce(&Node<'d>) -> Option<T>,
    ) -> T {
        self.optional(key, reader).unwrap_or_default()
    }

    /// Reads the member `key`. Reports it if it is missing.
    pub fn required<T>(
        &mut self,
        key: &'static str,
        reader: impl FnOnce(&Node<'d>) -> Option<T>,
    ) -> Option<T> {
        if !self.has(key) {
            self.node.problem(format!("`{key}` is missing"));
        }
        self.optional(key, reader)
    }

    /// Returns the one word of a vocabulary that is a key of the object. Reports none and several.
    pub fn choice<W: Word>(&mut self) -> Option<W> {
        let all = || W::WORDS.iter().copied();
        let present: Vec<W> = all().filter(|word| self.has(word.word())).collect();
        self.asked.extend(all().map(Word::word));
        match present.as_slice() {
            [one] => return Some(*one),
            // The unknown member is reported, with the word it is closest to.
            [] if self.unknown().next().is_some() => {}
            [] => self.node.problem(format!("one of {} must be here", words(all()))),
            several => {
                let several = words(several.iter().copied());
                self.node.problem(format!("only one of {several} can be here"));
            }
        }
        None
    }

    fn unknown(&self) -> impl Iterator<Item = (&'d str, usize)> {
        let members = self.node.value.members().iter();
        members
            .filter(|member| !self.asked.contains(&member.key.as_str()))
            .map(|member| (member.key.as_str(), member.key_offset))
    }
}

impl Drop for Fields<'_, '_> {
    fn drop(&mut self) {
        for (key, offset) in self.unknown() {
            let hint = match nearest(key, self.asked.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are `{}`", self.asked.join("`, `")),
            };
            let message = format!("the key `{}` is not known here; {hint}", quoted(key));
            self.node.report.problem(offset, &self.node.path.key(key), message);
        }
    }
}
