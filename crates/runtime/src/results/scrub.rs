//! Removes sensitive values from everything that leaves a call. Where a value is removed depends on its length and
//! script, see [`edges`].

mod edges;
mod finder;
mod forms;
mod path;

use std::{collections::BTreeSet, fmt, sync::OnceLock};

use assent_json::{Json, Kind, Node};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Number, Value};

use self::finder::Finder;
pub(super) use self::path::{Path, Touched};
use crate::executor::{Failure, Progress};

/// The text that replaces a value.
pub(crate) const REDACTED: &str = "[redacted]";

/// Replaces the sensitive values of a call in every record and text, also where they are encoded in JSON, URLs,
/// base64 or hexadecimal digits.
///
/// Values of four and more characters are replaced everywhere. Shorter ones would damage ordinary texts: they are
/// replaced where they are a word of their own, as `123` is in `PIN 123` and not in `1234`; those of scripts
/// without spaces between words, such as `李雷`, everywhere. A single character beyond ASCII is replaced where it
/// is not next to a letter or digit, and a single ASCII character where it is a whole text or a whole number.
#[derive(Clone, Default)]
pub(crate) struct Scrubber {
    /// Without surrounding white space, because a tool may trim its input.
    values: BTreeSet<String>,
    /// The bits of those that are numbers, which can be spelt in several ways.
    numbers: BTreeSet<u64>,
    /// Made when first used.
    finder: OnceLock<Finder>,
}

impl Scrubber {
    /// A scrubber for these values.
    #[cfg(test)]
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut scrubber = Self::default();
        scrubber.add(values);
        scrubber
    }

    /// Adds values.
    pub(crate) fn add(&mut self, values: impl IntoIterator<Item = String>) {
        for value in values {
            let value = value.trim();
            if value.is_empty() || self.values.contains(value) {
                continue;
            }
            self.numbers
                .extend(value.parse::<f64>().ok().filter(|number| number.is_finite()).map(bits));
            self.values.insert(value.to_owned());
            self.finder = OnceLock::new();
        }
    }

    /// The values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub(crate) fn is_idle(&self) -> bool {
        self.values.is_empty()
    }

    /// A text without the values.
    #[must_use]
    pub(crate) fn text(&self, text: &str) -> String {
        self.replaced(text).unwrap_or_else(|| text.to_owned())
    }

    /// Data without the values, also in its keys.
    #[must_use]
    pub(crate) fn json(&self, json: &Json) -> Json {
        self.json_at(json, &Path::root(), &mut Touched::default())
    }

    /// The same in place.
    pub(crate) fn value(&self, value: &mut Value) {
        if !self.is_idle() {
            self.value_at(value, &Path::root(), &mut Touched::default());
        }
    }

    /// A failure without the values.
    #[must_use]
    pub(crate) fn failure(&self, mut failure: Failure) -> Failure {
        failure.message = self.text(&failure.message);
        failure.code = failure.code.map(|code| self.text(&code));
        if let Some(native) = &mut failure.native {
            self.value(native);
        }
        failure
    }

    /// A progress report without the values.
    #[must_use]
    pub(crate) fn progress(&self, mut progress: Progress) -> Progress {
        progress.message = progress.message.map(|message| self.text(&message));
        progress.current_step = progress.current_step.map(|step| self.text(&step));
        progress.extra.values_mut().for_each(|value| self.value(value));
        progress
    }

    /// A record without the values, such as a reference whose URI contains one; `None` if it is invalid without
    /// them.
    #[must_use]
    pub(crate) fn record<T: Serialize + DeserializeOwned>(&self, record: T) -> Option<T> {
        if self.is_idle() {
            return Some(record);
        }
        let mut value = serde_json::to_value(record).ok()?;
        self.value(&mut value);
        serde_json::from_value(value).ok()
    }

    /// Binary data with the values overwritten in place; `None` if there are none.
    pub(super) fn overwritten(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let spans = self.finder().spans_in_data(bytes);
        let mut clean = (!spans.is_empty()).then(|| bytes.to_vec())?;
        for span in spans {
            clean.get_mut(span).unwrap_or_default().fill(b'*');
        }
        Some(clean)
    }

    pub(super) fn text_at(&self, text: String, at: &Path<'_>, touched: &mut Touched) -> String {
        match self.replaced(&text) {
            Some(clean) => {
                touched.add(at.pointer(self).as_str());
                clean
            }
            None => text,
        }
    }

    pub(super) fn json_at(&self, json: &Json, at: &Path<'_>, touched: &mut Touched) -> Json {
        if self.is_idle() || !self.is_in(json.root()) {
            return json.clone();
        }
        let mut value = json.to_value();
        self.value_at(&mut value, at, touched);
        // It was read before, so its copy is readable; if not, nothing of it is shown.
        Json::from_value(&value).unwrap_or_else(|_| Json::null())
    }

    pub(super) fn value_at(&self, value: &mut Value, at: &Path<'_>, touched: &mut Touched) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) if self.hides_number(number) => {
                touched.add(at.pointer(self).as_str());
                *value = Value::from(REDACTED);
            }
            Value::Number(_) => {}
            Value::String(text) => *text = self.text_at(std::mem::take(text), at, touched),
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.value_at(item, &at.index(index), touched);
                }
            }
            Value::Object(members) => {
                for (key, member) in members.iter_mut() {
                    self.value_at(member, &at.key(key), touched);
                }
                self.rename_keys(members, at, touched);
            }
        }
    }

    /// Removes the values from keys. No member is lost, even if several keys become equal.
    fn rename_keys(&self, members: &mut Map<String, Value>, at: &Path<'_>, touched: &mut Touched) {
        if !members.keys().any(|key| self.replaced(key).is_some()) {
            return;
        }
        let mut renamed = Vec::new();
        for (key, member) in std::mem::take(members) {
            match self.replaced(&key) {
                Some(clean) => {
                    touched.add(at.key(&key).pointer(self).as_str());
                    renamed.push((clean, member));
                }
                None => drop(members.insert(key, member)),
            }
        }
        for (index, (key, member)) in renamed.into_iter().enumerate() {
            // From the index on, most numbers are free: a search from the start would be quadratic.
            let numbered = (index + 1..).map(|number| format!("{key} ({number})"));
            let free =
                std::iter::once(key.clone()).chain(numbered).find(|key| !members.contains_key(key));
            members.insert(free.unwrap_or(key), member);
        }
    }

    fn is_in(&self, node: Node<'_>) -> bool {
        let in_text = |text: &str| self.replaced(text).is_some();
        match node.kind() {
            Kind::Null | Kind::Boolean => false,
            Kind::Number => {
                matches!(node.to_value(), Value::Number(number) if self.hides_number(&number))
            }
            Kind::String => node.as_str().is_some_and(in_text),
            Kind::Array => node.elements().any(|item| self.is_in(item)),
            Kind::Object => node.members().any(|(key, member)| in_text(key) || self.is_in(member)),
        }
    }

    fn hides_number(&self, number: &Number) -> bool {
        number.as_f64().is_some_and(|number| self.numbers.contains(&bits(number)))
            || !self.finder().spans_in_data(number.to_string().as_bytes()).is_empty()
    }

    /// The text without the values; `None` if there are none.
    fn replaced(&self, text: &str) -> Option<String> {
        if self.is_idle() || text.is_empty() {
            return None;
        }
        if self.values.contains(text.trim()) {
            return Some(REDACTED.to_owned());
        }
        let spans = self.finder().spans(text.as_bytes());
        if spans.is_empty() {
            return None;
        }
        let mut clean = String::with_capacity(text.len());
        let mut end = 0;
        for span in spans {
            clean.push_str(text.get(end..span.start).unwrap_or_default());
            clean.push_str(REDACTED);
            end = text.ceil_char_boundary(span.end);
        }
        clean.push_str(text.get(end..).unwrap_or_default());
        Some(clean)
    }

    fn finder(&self) -> &Finder {
        self.finder.get_or_init(|| Finder::new(self.values.iter().map(String::as_str)))
    }
}

/// The bits of a number, the same for both zeros.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// Shows the number of values only.
impl fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrubber").field("values", &self.values.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
