//! Removes what looks like a token from texts of errors, wherever in the request it was.

use std::borrow::Cow;

/// What the tokens of our services begin with: tokens of agents, refresh tokens, secrets of webhooks, JSON Web Tokens.
/// Errors and request ids never repeat them.
pub const TOKEN_PREFIXES: [&str; 4] = ["hsk_", "hrt_", "whsec_", "eyJ"];

/// Fewer characters after the prefix are an example in a text.
const SHORTEST: usize = 12;

/// What replaces a token.
const REDACTED: &str = "…";

/// Returns `true` if a text begins like a token.
pub(crate) fn begins_like_token(text: &str) -> bool {
    TOKEN_PREFIXES.iter().any(|prefix| text.starts_with(prefix))
}

/// The text of an error without anything that looks like a token. Letters of tokens are never escaped, so JSON stays
/// JSON.
pub(crate) fn without_tokens(text: &str) -> Cow<'_, str> {
    if !TOKEN_PREFIXES.iter().any(|prefix| text.contains(prefix)) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, prefix)) = first(rest) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|letter| !is_of_token(letter)).unwrap_or(from.len());
        let (found, after) = from.split_at(end);
        let is_token = found.len() >= prefix.len() + SHORTEST;
        kept.extend([before, if is_token { REDACTED } else { found }]);
        rest = after;
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Where the next token may begin, and with what.
fn first(text: &str) -> Option<(usize, &'static str)> {
    let found = TOKEN_PREFIXES.iter().filter_map(|prefix| Some((text.find(prefix)?, *prefix)));
    found.min()
}

fn is_of_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-.+/=".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::without_tokens;

    #[test]
    fn tokens_are_removed_and_everything_else_stays() {
        let token = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd";
        for prefix in ["hsk_", "hrt_", "whsec_", "eyJ"] {
            let text = format!(r#"{{"a":"`{prefix}{token}` is wrong","{prefix}{token}":1}}"#);
            assert_eq!(without_tokens(&text), r#"{"a":"`…` is wrong","…":1}"#);
        }
        for harmless in ["", "send `hsk_…`", "begins with `hsk_`", "no such agent"] {
            assert_eq!(without_tokens(harmless), harmless);
        }
    }
}
