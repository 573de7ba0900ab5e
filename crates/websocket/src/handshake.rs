//! The handshake's part of the protocol.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha1::{Digest as _, Sha1};

/// The GUID of RFC 6455, which proves that the server knows the protocol.
const SALT: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The `Sec-WebSocket-Accept` that answers a `Sec-WebSocket-Key`.
#[must_use]
pub fn accept_key(key: &[u8]) -> String {
    let digest = Sha1::new().chain_update(key).chain_update(SALT).finalize();
    BASE64_STANDARD.encode(digest)
}

#[cfg(test)]
mod tests {
    use super::accept_key;

    #[test]
    fn the_example_of_the_standard_is_answered_as_it_says() {
        assert_eq!(accept_key(b"dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
