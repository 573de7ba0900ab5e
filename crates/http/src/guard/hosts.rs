//! The hosts that a service answers for.

use http::{HeaderMap, header::HOST};

use super::Refused;

/// The exact values of `Host` that a service accepts. A page that resolves its own name to the service's address
/// sends another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// These hosts, each with its port unless that is the usual one.
    pub fn new(hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(hosts.into_iter().map(Into::into).collect())
    }

    /// Accepts a request for one of the hosts.
    ///
    /// # Errors
    ///
    /// If it is for another one, or does not have exactly one.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(Refused::BadRequest);
        };
        let is_allowed = self.0.iter().any(|allowed| allowed.as_bytes() == host.as_bytes());
        if is_allowed { Ok(()) } else { Err(Refused::Forbidden) }
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header::HOST};

    use super::{super::Refused, AllowedHosts};

    #[test]
    fn a_request_names_exactly_one_of_the_hosts() {
        let allowed = AllowedHosts::new(["127.0.0.1:8710", "localhost:8710", "[::1]:8710"]);
        let check = |hosts: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(HOST, HeaderValue::from_static(host));
            }
            allowed.check(&headers)
        };
        for good in ["127.0.0.1:8710", "localhost:8710", "[::1]:8710"] {
            assert_eq!(check(&[good]), Ok(()), "{good}");
        }
        for other in ["127.0.0.1", "127.0.0.1:8711", "localhost.:8710", "a.example:8710", "", "::1"]
        {
            assert_eq!(check(&[other]), Err(Refused::Forbidden), "{other}");
        }
        assert_eq!(check(&[]), Err(Refused::BadRequest));
        assert_eq!(check(&["localhost:8710", "localhost:8710"]), Err(Refused::BadRequest));
    }
}
