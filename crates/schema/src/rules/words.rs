//! Words that are looked for in every document: names of members, options of an enumeration.

/// Known words, each with something that is known about it.
#[derive(Debug)]
pub(super) struct Words<T> {
    /// By length.
    words: Vec<Word<T>>,
    /// For each length, where its words begin and end.
    spans: Vec<(usize, usize)>,
}

#[derive(Debug)]
struct Word<T> {
    ends: (u64, u64),
    text: String,
    known: T,
}

impl<T> Words<T> {
    pub(super) fn new(words: impl IntoIterator<Item = (String, T)>) -> Self {
        let words = words.into_iter();
        let mut words: Vec<Word<T>> =
            words.map(|(text, known)| Word { ends: ends(text.as_bytes()), text, known }).collect();
        words.sort_by_key(|word| (word.text.len(), word.ends));
        let longest = words.last().map_or(0, |word| word.text.len());
        let shorter_than = |length| words.partition_point(|word| word.text.len() < length);
        let spans = (0..=longest).map(|length| (shorter_than(length), shorter_than(length + 1)));
        let spans = spans.collect();
        Self { words, spans }
    }

    /// What is known about a word.
    #[inline]
    pub(super) fn find(&self, text: &[u8]) -> Option<&T> {
        let (start, end) = *self.spans.get(text.len())?;
        let candidates = self.words.get(start..end)?;
        if candidates.is_empty() {
            return None;
        }
        let wanted = ends(text);
        let mut candidates = match candidates.len() {
            0..=FEW => candidates.iter(),
            _ => {
                let start = candidates.partition_point(|word| word.ends < wanted);
                let end = candidates.partition_point(|word| word.ends <= wanted);
                candidates.get(start..end)?.iter()
            }
        };
        let found = if text.len() <= COVERED {
            candidates.find(|word| word.ends == wanted)
        } else {
            candidates.find(|word| word.ends == wanted && word.text.as_bytes() == text)
        };
        found.map(|word| &word.known)
    }
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self::new([])
    }
}

/// Up to so many words of one length, looking at each beats a search.
const FEW: usize = 8;

/// Maximum length, in bytes, of words that are distinguished by their length and their ends.
const COVERED: usize = 16;

/// The first and the last bytes of a word, which overlap in a short one: comparing them is much
/// cheaper than comparing the text.
fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
    }
    match *bytes {
        [first] => (first.into(), 0),
        [first, last] => (first.into(), last.into()),
        [first, middle, last] => (u16::from_le_bytes([first, middle]).into(), last.into()),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_word_is_found_whatever_its_length_and_only_if_it_is_known() {
        // Words that differ in one byte, at any place and of any length, and many of one length.
        let texts: Vec<String> = (0..40)
            .flat_map(|length| {
                (0..=length).map(move |at| {
                    (0..length).map(|here| if here == at { 'b' } else { 'a' }).collect()
                })
            })
            .chain(
                (100..200).map(|number| format!("a word that is long, number {number}, the end")),
            )
            .collect();
        let (known, unknown): (Vec<_>, Vec<_>) =
            texts.iter().enumerate().partition(|(number, _)| number % 2 == 0);
        let words = Words::new(known.iter().map(|(number, text)| ((*text).clone(), *number)));
        for (number, text) in known {
            let same = words.find(text.as_bytes()).and_then(|found| texts.get(*found));
            assert_eq!(same, Some(text), "{number}");
        }
        for (_, text) in unknown {
            assert_eq!(
                words.find(text.as_bytes()).and_then(|found| texts.get(*found)),
                None,
                "{text}"
            );
        }
        assert!(Words::<()>::default().find(b"").is_none());
    }
}
