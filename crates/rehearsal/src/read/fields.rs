//! The members of an object, taken one by one; what nobody asked for is a mistake.

use assent_protocol::wire::Word;

use super::{
    at::At,
    nearest::{listed, nearest, shown},
    tree::{Data, Member},
};

/// An object that is being read. When a reader is done with it, the members that it did not ask for
/// are reported; so a reader asks for all it knows before it gives up.
pub(super) struct Fields<'a, 't> {
    at: &'a At<'t>,
    members: &'t [Member],
    asked: Vec<&'static str>,
}

impl<'a, 't> Fields<'a, 't> {
    /// The members of the object `at`; `None` if it is none.
    pub(super) fn of(at: &'a At<'t>) -> Option<Self> {
        let Data::Map(members) = &at.node.data else {
            at.expected("an object");
            return None;
        };
        Some(Self { at, members, asked: Vec::new() })
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.members.iter().any(|member| member.key == key)
    }

    /// The member `key`, if it is there and right.
    pub(super) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'t>) -> Option<T>,
    ) -> Option<T> {
        self.asked.push(key);
        read(&self.at.member(key)?)
    }

    /// The member `key`, or the default of its type.
    pub(super) fn or_default<T: Default>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'t>) -> Option<T>,
    ) -> T {
        self.optional(key, read).unwrap_or_default()
    }

    /// The member `key`, which must be there.
    pub(super) fn required<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'t>) -> Option<T>,
    ) -> Option<T> {
        if !self.has(key) {
            self.at.problem(format!("`{key}` is missing"));
        }
        self.optional(key, read)
    }

    /// The one word of a vocabulary that is a key here. Exactly one must be.
    pub(super) fn choice<W: Word>(&mut self) -> Option<W> {
        let words = || W::WORDS.iter().copied();
        let present: Vec<W> = words().filter(|word| self.has(word.word())).collect();
        self.asked.extend(words().map(Word::word));
        match present.as_slice() {
            [one] => return Some(*one),
            // Said better by what is told of that member.
            [] if self.members.iter().any(|member| !self.knows(&member.key)) => {}
            [] => self.at.problem(format!("one of {} must be here", listed(words()))),
            several => self
                .at
                .problem(format!("only one of {} can be here", listed(several.iter().copied()))),
        }
        None
    }

    fn knows(&self, key: &str) -> bool {
        self.asked.contains(&key)
    }
}

impl Drop for Fields<'_, '_> {
    fn drop(&mut self) {
        for member in self.members.iter().filter(|member| !self.knows(&member.key)) {
            let key = shown(&member.key);
            let hint = match nearest(&member.key, self.asked.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are `{}`", self.asked.join("`, `")),
            };
            let message = format!("the key `{key}` is not known here; {hint}");
            self.at.reading.problem(member.key_offset, &self.at.path.key(&member.key), message);
        }
    }
}
