//! The members of an object, taken one by one; what nobody asked for is a mistake.

use assent_json::Kind;

use super::{At, shown};

/// An object that is being read. When a reader is done with it, the members that it did not ask for
/// are reported; so a reader asks for all it knows before it gives up.
pub(crate) struct Fields<'a, 'd> {
    at: &'a At<'d>,
    asked: Vec<&'static str>,
}

impl<'a, 'd> Fields<'a, 'd> {
    /// The members of the object `at`; `None` if it is none.
    pub(crate) fn of(at: &'a At<'d>) -> Option<Self> {
        at.is(Kind::Object, "an object")?;
        Some(Self { at, asked: Vec::new() })
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.at.node.get(key).is_some()
    }

    /// The member `key`, if it is there and right.
    pub(crate) fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'d>) -> Option<T>,
    ) -> Option<T> {
        self.asked.push(key);
        read(&self.at.member(key)?)
    }

    /// The member `key`, or the default of its type.
    pub(crate) fn or_default<T: Default>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'d>) -> Option<T>,
    ) -> T {
        self.optional(key, read).unwrap_or_default()
    }

    /// The member `key`, which must be there.
    pub(crate) fn required<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&At<'d>) -> Option<T>,
    ) -> Option<T> {
        if !self.has(key) {
            self.at.problem(format!("`{key}` is missing"));
        }
        self.optional(key, read)
    }
}

impl Drop for Fields<'_, '_> {
    fn drop(&mut self) {
        for (key, _) in self.at.node.members().with_key_nodes() {
            let name = key.as_str().unwrap_or_default();
            if self.asked.contains(&name) {
                continue;
            }
            let known = self.asked.join("`, `");
            let message =
                format!("the field `{}` is not known here; known are `{known}`", shown(name));
            self.at.reading.problem(key.offset(), &self.at.path.key(name), message);
        }
    }
}
