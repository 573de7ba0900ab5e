//! Finds sensitive values in all their forms, in one pass over a text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{
    edges::Edges,
    forms::{Alphabet, Forms, add_forms},
};

/// Only the beginning of a form is in the automaton; the rest is compared where it was found.
const NEEDLE_BYTES: usize = 64;

/// The maximum size of all forms; beyond it nothing is shown at all.
const MAX_NEEDLES_BYTES: usize = 1 << 20;

/// The minimum length of a form in binary data; shorter ones occur by chance.
const MIN_DATA_BYTES: usize = 4;

/// Looks for all forms of all values at once.
#[derive(Clone, Debug)]
pub(super) enum Finder {
    /// There is nothing to look for.
    Nothing,
    /// There is.
    Forms { automaton: AhoCorasick, forms: Vec<Form> },
    /// There is too much to look for.
    Everything,
}

impl Finder {
    pub(super) fn new<'v>(values: impl Iterator<Item = &'v str>) -> Self {
        let mut forms = Forms::new();
        let mut size = 0;
        for value in values {
            let Some(edges) = Edges::of(value) else { continue };
            size += value.len().min(NEEDLE_BYTES);
            // Each value has at least one form, so the sum below could only be larger.
            if size > MAX_NEEDLES_BYTES {
                return Self::Everything;
            }
            add_forms(value, edges, &mut forms);
        }
        if forms.is_empty() {
            return Self::Nothing;
        }
        let forms: Vec<Form> = forms
            .into_iter()
            .map(|(text, (alphabet, edges))| Form { text, alphabet, edges })
            .collect();
        if forms.iter().map(|form| form.needle().len()).sum::<usize>() > MAX_NEEDLES_BYTES {
            return Self::Everything;
        }
        // It is made for one call and used a few times: quick to make beats quick to use.
        let built = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(forms.iter().map(Form::needle));
        match built {
            Ok(automaton) => Self::Forms { automaton, forms },
            Err(_) => Self::Everything,
        }
    }

    /// The parts of `text` that hold values, in order and without overlap.
    pub(super) fn spans(&self, text: &[u8]) -> Vec<Range<usize>> {
        self.spans_with(text, |form, found| form.stands_in(text, found))
    }

    /// The same in what is no text, without what is found there by chance.
    pub(super) fn spans_in_data(&self, data: &[u8]) -> Vec<Range<usize>> {
        let is_rare = |form: &Form| form.text.len() >= MIN_DATA_BYTES && form.edges == Edges::ANY;
        self.spans_with(data, |form, _| is_rare(form))
    }

    fn spans_with(
        &self,
        text: &[u8],
        counts: impl Fn(&Form, &Range<usize>) -> bool,
    ) -> Vec<Range<usize>> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Everything if text.is_empty() => Vec::new(),
            Self::Everything => std::iter::once(0..text.len()).collect(),
            Self::Forms { automaton, forms } => {
                if automaton.is_match(text) {
                    spans(automaton, forms, text, counts)
                } else {
                    Vec::new()
                }
            }
        }
    }
}

/// Values may overlap, so every match counts. A match is compared with its whole form only behind
/// what is covered already: the time is linear, whatever text and values are.
fn spans(
    automaton: &AhoCorasick,
    forms: &[Form],
    text: &[u8],
    counts: impl Fn(&Form, &Range<usize>) -> bool,
) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for found in automaton.find_overlapping_iter(text) {
        let mut span = found.range();
        let form = forms.get(found.pattern().as_usize());
        if !form.is_some_and(|form| counts(form, &span)) {
            continue;
        }
        while let Some(last) = spans.pop_if(|last| last.end >= span.start) {
            span = last.start.min(span.start)..last.end.max(span.end);
        }
        if let Some(form) = form {
            span.end = form.end_in(text, found.start(), span.end);
        }
        spans.push(span);
    }
    spans
}

/// One way to write a value.
#[derive(Clone, Debug)]
pub(super) struct Form {
    text: String,
    /// The rest of the form, if the text is only its beginning.
    alphabet: Option<Alphabet>,
    /// What must not stand beside it.
    edges: Edges,
}

impl Form {
    /// Whether it counts where it was found.
    fn stands_in(&self, text: &[u8], found: &Range<usize>) -> bool {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        self.edges.allow(part(0..found.start), part(found.end..text.len()))
    }

    fn needle(&self) -> &[u8] {
        let end = self.text.floor_char_boundary(NEEDLE_BYTES);
        self.text.as_bytes().get(..end).unwrap_or_default()
    }

    /// How far the form that begins at `start` goes, of which everything before `end` is covered.
    fn end_in(&self, text: &[u8], start: usize, end: usize) -> usize {
        let expected = self.text.as_bytes().get(end.saturating_sub(start)..).unwrap_or_default();
        let there = text.get(end..).unwrap_or_default();
        let same = expected.iter().zip(there).take_while(|(one, other)| one == other).count();
        let rest = match self.alphabet {
            Some(belongs) if same == expected.len() => {
                there.iter().skip(same).take_while(|byte| belongs(**byte)).count()
            }
            _ => 0,
        };
        end + same + rest
    }
}
