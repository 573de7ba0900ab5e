//! The words of one tool.

use crate::{
    Field, ToolText,
    analyse::{Kind, analyse},
    dictionary::Dictionary,
    score::Occurrences,
};

/// Every word of a tool once, and how long its fields are.
pub(crate) struct Words {
    pub(crate) occurrences: Vec<(u32, Occurrences)>,
    pub(crate) lengths: Occurrences,
}

/// Reads the fields of a tool. Words that are new get a number.
pub(crate) fn read_words(text: &ToolText<'_>, dictionary: &mut Dictionary) -> Words {
    let mut found: Vec<(u32, Field)> = Vec::with_capacity(64);
    let mut lengths = Occurrences::default();
    for field in Field::ALL {
        analyse(field.of(text), field.max_bytes(), |token| {
            // A tool may be called `who_is`, but what is described says “who” only by the way.
            if token.kind == Kind::StopWord && field == Field::Description {
                return;
            }
            if token.kind.has_length() {
                lengths.add(field);
            }
            found.extend(dictionary.intern(token.term).map(|number| (number, field)));
        });
    }
    Words { occurrences: count(found), lengths }
}

fn count(mut found: Vec<(u32, Field)>) -> Vec<(u32, Occurrences)> {
    found.sort_unstable();
    let groups = found.chunk_by(|(one, _), (other, _)| one == other);
    groups
        .filter_map(|group| {
            let (number, _) = group.first()?;
            let mut occurrences = Occurrences::default();
            group.iter().for_each(|(_, field)| occurrences.add(*field));
            Some((*number, occurrences))
        })
        .collect()
}
