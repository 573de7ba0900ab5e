//! Stop words.

/// Returns `true` for a stop word in lower case.
pub(crate) fn is_stop_word(word: &str) -> bool {
    word.len() <= MAX_BYTES && PACKED.binary_search(&pack(word)).is_ok()
}

/// The longest of them, so that each fits into a number.
const MAX_BYTES: usize = 8;

/// The words as numbers: this is asked for every word of every tool, and numbers compare at once.
const PACKED: [u64; STOP_WORDS.len()] = {
    let mut packed = [0; STOP_WORDS.len()];
    let (mut words, mut room) = (STOP_WORDS.as_slice(), packed.as_mut_slice());
    while let ([word, more_words @ ..], [place, more_room @ ..]) = (words, room) {
        *place = pack(word);
        (words, room) = (more_words, more_room);
    }
    packed
};

/// The bytes of a short word as a number that is ordered as the word is. No word contains a zero.
const fn pack(word: &str) -> u64 {
    let mut packed = 0;
    let mut bytes = word.as_bytes();
    let mut shift = u64::BITS;
    while let [byte, rest @ ..] = bytes
        && shift > 0
    {
        shift -= 8;
        packed |= (*byte as u64) << shift;
        bytes = rest;
    }
    packed
}

/// Articles, pronouns, auxiliary verbs, and how one asks for something. Verbs that a tool could do
/// (`get`, `find`, `show`) are not among them. Sorted.
const STOP_WORDS: [&str; 177] = [
    "a", "about", "also", "am", "an", "and", "any", "are", "aren", "as", "at", "be", "because",
    "been", "being", "both", "but", "by", "can", "could", "couldn", "d", "did", "didn", "do",
    "does", "doesn", "doing", "don", "each", "for", "from", "had", "has", "have", "having", "he",
    "hello", "her", "here", "hi", "him", "his", "how", "i", "if", "in", "into", "is", "isn", "it",
    "its", "just", "let", "like", "ll", "m", "may", "me", "might", "mine", "must", "my", "myself",
    "need", "no", "not", "of", "on", "or", "other", "our", "ours", "out", "over", "please", "re",
    "s", "shall", "she", "should", "shouldn", "so", "some", "such", "t", "tell", "than", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too",
    "up", "us", "ve", "very", "want", "was", "wasn", "we", "were", "weren", "what", "when",
    "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "won", "would",
    "wouldn", "you", "your", "yours", "か", "が", "で", "と", "に", "の", "は", "も", "を", "一",
    "不", "与", "个", "也", "了", "从", "他", "以", "们", "会", "你", "到", "可", "吗", "吧", "呢",
    "和", "在", "她", "它", "对", "就", "帮", "想", "我", "或", "把", "是", "有", "的", "给", "能",
    "被", "要", "让", "请", "这", "那", "都",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_short_so_that_every_word_is_found() {
        assert!(STOP_WORDS.is_sorted_by(|a, b| a < b));
        assert!(PACKED.is_sorted_by(|a, b| a < b));
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word)));
    }

    #[test]
    fn what_tools_do_is_no_stop_word() {
        for word in ["list", "get", "thesaurus", "", "shouldnt"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
