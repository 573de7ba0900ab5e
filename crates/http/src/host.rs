//! The `Host` of a request.

use std::net::Ipv6Addr;

use http::{HeaderValue, Version, header::HOST, request::Parts};

/// The request has no host, several, or one that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadHost;

/// Checks that a request names exactly one well-formed host. Afterwards it stands in the `Host` header, whatever the
/// version of HTTP. Only a request of HTTP/1.0 may have none.
pub(crate) fn check(parts: &mut Parts) -> Result<(), BadHost> {
    let mut hosts = parts.headers.get_all(HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    if second.is_some() || !host.is_none_or(is_well_formed) {
        return Err(BadHost);
    }
    let authority = match parts.uri.authority() {
        Some(authority) => Some(
            HeaderValue::from_str(authority.as_str()).ok().filter(is_well_formed).ok_or(BadHost)?,
        ),
        None => None,
    };
    match (host, authority, parts.version) {
        (Some(host), Some(authority), Version::HTTP_2) if !same(host, &authority) => Err(BadHost),
        (None, Some(_), Version::HTTP_11) | (None, None, Version::HTTP_11 | Version::HTTP_2) => {
            Err(BadHost)
        }
        // The target of a request outweighs its header.
        (_, Some(authority), _) => {
            parts.headers.insert(HOST, authority);
            Ok(())
        }
        (_, None, _) => Ok(()),
    }
}

fn same(one: &HeaderValue, other: &HeaderValue) -> bool {
    one.as_bytes().eq_ignore_ascii_case(other.as_bytes())
}

/// Returns `true` for a name or an address, with or without a port.
fn is_well_formed(host: &HeaderValue) -> bool {
    let Ok(host) = host.to_str() else { return false };
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) => {
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            return rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
        }
        None => host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_of_name) && port.is_none_or(is_port)
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use http::{Request, Version, header::HOST};

    use super::{BadHost, check};

    /// The host of a request after the check.
    fn checked(version: Version, target: &str, hosts: &[&str]) -> Result<Option<String>, BadHost> {
        let mut request = Request::builder().version(version).uri(target);
        for host in hosts {
            request = request.header(HOST, *host);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        check(&mut parts)?;
        Ok(parts.headers.get(HOST).map(|host| host.to_str().unwrap().to_owned()))
    }

    #[test]
    fn the_host_of_an_http_1_request_is_its_only_header() {
        let one = |host: &str| checked(Version::HTTP_11, "/", &[host]);
        for good in ["a", "A.b-c_d.org:65535", "127.0.0.1:80", "[::1]", "[2001:db8::1]:8700"] {
            assert_eq!(one(good), Ok(Some(good.to_owned())), "{good}");
        }
        for bad in ["", " ", "a b", "a,b", "a@b", "a:b", "a:", ":1", "a:65536", "a:+1", "::1"] {
            assert_eq!(one(bad), Err(BadHost), "{bad}");
        }
        for bad in ["[::1", "[]", "[a]", "[::1]x", "[::1]:", "a\u{e4}", "a%41", "a/b", "a?b", "a#b"]
        {
            assert_eq!(one(bad), Err(BadHost), "{bad}");
        }
        assert_eq!(checked(Version::HTTP_11, "/", &[]), Err(BadHost));
        assert_eq!(checked(Version::HTTP_11, "/", &["a", "a"]), Err(BadHost));
        assert_eq!(checked(Version::HTTP_10, "/", &[]), Ok(None));
        assert_eq!(checked(Version::HTTP_10, "/", &["a", "a"]), Err(BadHost));
    }

    #[test]
    fn a_host_in_the_target_outweighs_the_header_and_does_not_replace_it() {
        let absolute = |hosts: &[&str]| checked(Version::HTTP_11, "http://b:1/", hosts);
        assert_eq!(absolute(&["a"]), Ok(Some("b:1".to_owned())));
        assert_eq!(absolute(&[]), Err(BadHost));
        let user = checked(Version::HTTP_11, "http://u@b/", &["b"]);
        assert_eq!(user, Err(BadHost));
    }

    #[test]
    fn the_host_of_an_http_2_request_is_its_authority() {
        let two = |target: &str, hosts: &[&str]| checked(Version::HTTP_2, target, hosts);
        assert_eq!(two("http://b/", &[]), Ok(Some("b".to_owned())));
        assert_eq!(two("http://b/", &["B"]), Ok(Some("b".to_owned())));
        assert_eq!(two("/", &["a"]), Ok(Some("a".to_owned())));
        assert_eq!(two("http://b/", &["a"]), Err(BadHost));
        assert_eq!(two("/", &[]), Err(BadHost));
    }
}
