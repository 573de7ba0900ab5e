//! Bearer tokens.

use http::{HeaderMap, header::AUTHORIZATION};

/// The token of `Authorization: Bearer …`.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

    use super::bearer;

    #[test]
    fn only_the_bearer_scheme_carries_a_token() {
        for (value, expected) in [
            ("Bearer a.b", Some("a.b")),
            ("bearer  a ", Some("a")),
            ("Basic a", None),
            ("Bearer", None),
            ("a", None),
        ] {
            let value_of = |value| HeaderValue::from_str(value).unwrap();
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value_of(value))]);
            assert_eq!(bearer(&headers), expected, "{value}");
        }
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
