//! The scoring formula: the weight of a word, and its impact in a tool.

use crate::{Field, field::FieldSet};

/// The largest weight and the largest impact: both are numbers of 12 bits.
///
/// All of them are signed, though never negative: most processors compare signed numbers faster.
pub(crate) const MAX_FACTOR: i32 = (1 << 12) - 1;

/// What a weight of one is in whole numbers. The largest, of a word in one of 4 billion tools, is 22.
pub const WEIGHT_UNIT: i32 = 128;

/// What an impact of one is in whole numbers. The largest is 2.5.
pub const IMPACT_UNIT: i32 = 1638;

/// The saturation of repeated words.
const SATURATION: f64 = 1.2;

/// How much the length of a field matters, from 0 (not at all) to 1 (occurrences are shares).
const LENGTH_MATTERS: f64 = 0.75;

/// The factor of the head over the body.
const HEAD: f64 = 1.5;

/// How often a word occurs in each field of a tool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Occurrences([u32; Field::ALL.len()]);

impl Occurrences {
    pub(crate) fn add(&mut self, field: Field) {
        if let Some(count) = self.0.get_mut(field as usize) {
            *count = count.saturating_add(1);
        }
    }

    pub(crate) fn of(&self, field: Field) -> u32 {
        self.0.get(field as usize).copied().unwrap_or_default()
    }

    pub(crate) fn fields(&self) -> FieldSet {
        let mut fields = FieldSet::default();
        for field in Field::ALL {
            if self.of(field) > 0 {
                fields.insert(field);
            }
        }
        fields
    }
}

/// How much of a word a tool has, which knows nothing of other tools.
pub(crate) fn impact(occurrences: &Occurrences, lengths: &Occurrences) -> i32 {
    let share = |field: Field| {
        let length = f64::from(lengths.of(field)) / usual_length(field);
        f64::from(occurrences.of(field)) / (1.0 - LENGTH_MATTERS + LENGTH_MATTERS * length)
    };
    let head = share(Field::Name)
        + 0.5 * share(Field::Namespace)
        + share(Field::Title)
        + share(Field::Hint);
    let body = share(Field::Description);
    whole_number((HEAD * saturate(head) + saturate(body)) * f64::from(IMPACT_UNIT))
}

/// Returns the weight of a word that occurs in this many tools. A share below one lowers it.
pub(crate) fn weight(tools_with_it: usize, tools: usize, share: f64) -> i32 {
    let (with, all) = (float(tools_with_it), float(tools));
    let rarity = (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln();
    whole_number(rarity * share * f64::from(WEIGHT_UNIT))
}

/// The score as people see it.
pub(crate) fn score(sum: i32) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough to be shown")]
    let score = (f64::from(sum) / f64::from(WEIGHT_UNIT * IMPACT_UNIT)) as f32;
    score
}

const fn usual_length(field: Field) -> f64 {
    match field {
        Field::Name | Field::Title => 4.0,
        Field::Namespace => 2.0,
        Field::Hint => 8.0,
        Field::Description => 24.0,
    }
}

fn saturate(share: f64) -> f64 {
    share / (share + SATURATION)
}

/// At least one: what was found at all must be seen.
fn whole_number(value: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "the value lies between the bounds")]
    let whole = value.round().clamp(1.0, f64::from(MAX_FACTOR)) as i32;
    whole
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
