//! The origins whose pages may send requests.

use http::{
    HeaderMap,
    header::{HOST, ORIGIN},
};

use super::Refused;

/// The origins whose pages may send requests: the service's own, which is `http://` and the `Host` of the request, and
/// those that are listed. Check the `Host` before, see [`AllowedHosts`](crate::AllowedHosts).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedOrigins(Vec<String>);

impl AllowedOrigins {
    /// These origins beside the service's own, for example that of a public URL with `https`.
    pub fn new(others: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(others.into_iter().map(Into::into).collect())
    }

    /// Accepts a request without `Origin`, and one with an allowed origin.
    ///
    /// # Errors
    ///
    /// If there is another origin, or several.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return Ok(()) };
        let origin = origin.as_bytes();
        let is_own = origin.strip_prefix(b"http://").is_some_and(|host| {
            headers.get(HOST).is_some_and(|own| !host.is_empty() && own.as_bytes() == host)
        });
        let is_allowed = is_own || self.0.iter().any(|other| other.as_bytes() == origin);
        if is_allowed && origins.next().is_none() { Ok(()) } else { Err(Refused::Forbidden) }
    }
}

#[cfg(test)]
mod tests {
    use http::{
        HeaderMap, HeaderValue,
        header::{HOST, ORIGIN},
    };

    use super::{super::Refused, AllowedOrigins};

    fn check(allowed: &AllowedOrigins, origins: &[&'static str]) -> Result<(), Refused> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost:8710"));
        for origin in origins {
            headers.append(ORIGIN, HeaderValue::from_static(origin));
        }
        allowed.check(&headers)
    }

    #[test]
    fn a_page_of_the_own_origin_may_send_requests_and_no_other() {
        let own = AllowedOrigins::default();
        assert_eq!(check(&own, &[]), Ok(()));
        assert_eq!(check(&own, &["http://localhost:8710"]), Ok(()));
        for other in ["https://localhost:8710", "http://localhost", "null", "", "localhost:8710"] {
            assert_eq!(check(&own, &[other]), Err(Refused::Forbidden), "{other}");
        }
        let twice = ["http://localhost:8710", "http://localhost:8710"];
        assert_eq!(check(&own, &twice), Err(Refused::Forbidden));
    }

    #[test]
    fn listed_origins_are_compared_exactly() {
        let listed = AllowedOrigins::new(["https://assent.example"]);
        assert_eq!(check(&listed, &["https://assent.example"]), Ok(()));
        assert_eq!(check(&listed, &["http://localhost:8710"]), Ok(()));
        for other in ["http://assent.example", "https://assent.example:444", "https://a.example"] {
            assert_eq!(check(&listed, &[other]), Err(Refused::Forbidden), "{other}");
        }
    }
}
