//! The number of a request, by which its answer and its line in the log are found.

use assent_ids::{Minter, RequestId};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::unsaid::begins_like_token;

/// Where it stands, in requests and in answers.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 64;

/// The number that the sender gave, if it looks like one, or a new one.
pub(super) fn of(headers: &HeaderMap, minter: &Minter) -> HeaderValue {
    let given = headers.get(HEADER).filter(|value| is_plain(value.as_bytes()));
    given.cloned().unwrap_or_else(|| {
        let number = minter.mint::<RequestId>().to_string();
        HeaderValue::try_from(number).unwrap_or(HeaderValue::from_static("none"))
    })
}

/// Letters, digits and a few marks: nothing that means anything to a log, a shell or a page, and no token that somebody
/// put into the wrong header.
fn is_plain(number: &[u8]) -> bool {
    let is_secret = str::from_utf8(number).is_ok_and(begins_like_token);
    !is_secret
        && (1..=MAX_LENGTH).contains(&number.len())
        && number.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{MAX_LENGTH, is_plain};

    #[test]
    fn a_number_is_taken_over_only_if_it_can_do_no_harm() {
        let longest = "a".repeat(MAX_LENGTH);
        for plain in ["a", "req_01J0-x.7", "0f8fad5b-d9cb-469f-a165-70867728950e", &longest] {
            assert!(is_plain(plain.as_bytes()), "{plain}");
        }
        let too_long = "a".repeat(MAX_LENGTH + 1);
        let secrets = ["hsk_0123456789", "whsec_MDEyMw", "eyJhbGciOiJFZERTQSJ9.e30.x"];
        let strange = ["", "a b", "a\"b", "a\x1b[31m", "ä", "a;b", "{}", &too_long];
        for strange in strange.into_iter().chain(secrets) {
            assert!(!is_plain(strange.as_bytes()), "{strange}");
        }
    }
}
