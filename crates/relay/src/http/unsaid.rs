//! What looks like one of our tokens: errors do not say it, wherever in the request it stood.

use std::borrow::Cow;

use crate::secrets::{AGENT_PREFIX, REFRESH_PREFIX};

/// What tokens begin with: those of agents, refresh tokens, secrets of webhooks, access tokens.
const BEGINNINGS: [&str; 4] = [AGENT_PREFIX, REFRESH_PREFIX, "whsec_", "eyJ"];

/// A shorter one is an example in a text, and nobody's secret.
const SHORTEST: usize = 12;

/// What stands where a token stood.
const UNSAID: &str = "…";

/// Whether a text begins like a token.
pub(super) fn begins_like_token(text: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// The text of an error without anything that looks like a token. Letters of tokens are never escaped, so JSON stays
/// JSON.
pub(super) fn without_tokens(text: &str) -> Cow<'_, str> {
    if !BEGINNINGS.iter().any(|beginning| text.contains(beginning)) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, beginning)) = first(rest) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|letter| !is_of_token(letter)).unwrap_or(from.len());
        let (found, after) = from.split_at(end);
        let is_token = found.len() >= beginning.len() + SHORTEST;
        kept.extend([before, if is_token { UNSAID } else { found }]);
        rest = after;
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Where the next token may begin, and with what.
fn first(text: &str) -> Option<(usize, &'static str)> {
    let places =
        BEGINNINGS.iter().filter_map(|beginning| Some((text.find(beginning)?, *beginning)));
    places.min()
}

fn is_of_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-.+/=".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::without_tokens;

    #[test]
    fn tokens_are_unsaid_and_everything_else_stays() {
        let token = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd";
        for beginning in ["hsk_", "hrt_", "whsec_", "eyJ"] {
            let said = format!(r#"{{"a":"`{beginning}{token}` is wrong","{beginning}{token}":1}}"#);
            assert_eq!(without_tokens(&said), r#"{"a":"`…` is wrong","…":1}"#);
        }
        for harmless in ["", "send `hsk_…`", "begins with `hsk_`", "no such agent"] {
            assert_eq!(without_tokens(harmless), harmless);
        }
    }
}
