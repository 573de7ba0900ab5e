//! Texts as parts of sentences.

/// The first `characters` of a text, with an ellipsis if there are more.
#[must_use]
pub fn shorten(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn only_what_is_too_long_is_cut_and_between_characters() {
        assert_eq!(shorten("读取文件", 4), "读取文件");
        assert_eq!(shorten("读取文件", 3), "读取文…");
        assert_eq!(shorten("", 0), "");
    }
}
