//! Bounds the work and the memory of a comparison.

use serde_json::Value;

/// The work that may still be done.
///
/// A unit is about as much as looking at one literal or copying a few bytes. Work is charged before
/// it is done, so memory is bounded by the same number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    units: usize,
}

impl Budget {
    pub(crate) fn new(units: usize) -> Self {
        Self { units }
    }

    /// Charges `units`. False if not enough were left; then nothing is left.
    #[must_use]
    pub(crate) fn spend(&mut self, units: usize) -> bool {
        let enough = self.units >= units;
        self.units = self.units.saturating_sub(units);
        enough
    }

    pub(crate) fn remaining(&self) -> usize {
        self.units
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.units == 0
    }
}

/// What a copy of `text` costs.
pub(crate) fn text_units(text: &str) -> usize {
    3 + text.len() / 16
}

/// What a copy of `value` costs.
pub(crate) fn value_units(value: &Value) -> usize {
    let mut units = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => units += text_units(text),
            Value::Array(items) => {
                units += 1;
                open.extend(items);
            }
            Value::Object(members) => {
                units += 1;
                for (name, member) in members {
                    units += text_units(name);
                    open.push(member);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => units += 1,
        }
    }
    units
}
