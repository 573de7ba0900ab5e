//! The id of a request, by which its response and its line in the log are found.

use assent_ids::{Minter, RequestId};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::redact::begins_like_token;

/// The header of the id, in requests and in responses.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 64;

/// The id that the client sent, if it is plain, or a new one.
pub(crate) fn of(headers: &HeaderMap, minter: &Minter) -> HeaderValue {
    let given = headers.get(HEADER).filter(|value| is_plain(value.as_bytes()));
    given.cloned().unwrap_or_else(|| {
        let id = minter.mint::<RequestId>().to_string();
        HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("none"))
    })
}

/// Returns `true` for letters, digits and a few marks, which mean nothing to a log, a shell or a page. A token in the
/// wrong header is not plain.
fn is_plain(id: &[u8]) -> bool {
    let is_secret = str::from_utf8(id).is_ok_and(begins_like_token);
    !is_secret
        && (1..=MAX_LENGTH).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{MAX_LENGTH, is_plain};

    #[test]
    fn an_id_of_a_client_is_used_only_if_it_is_plain() {
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
