//! The network address that a request comes from.

use std::net::IpAddr;

use http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Headers that proxies add.
const FORWARDED: [&str; 5] =
    ["forwarded", FORWARDED_FOR, "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// Returns `true` if a proxy seems to have forwarded the request.
pub(super) fn is_forwarded(headers: &HeaderMap) -> bool {
    FORWARDED.iter().any(|name| headers.contains_key(*name))
}

/// The address that a request comes from, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// Returns the address that a trusted proxy reports, if the connection comes from one.
    ///
    /// Each proxy appends the address it was called from. The last one that is not a trusted proxy is the client's;
    /// the client may have made up everything before it.
    pub(super) fn behind(self, proxies: &[IpAddr], headers: &HeaderMap) -> Self {
        if !proxies.contains(&self.0.to_canonical()) {
            return self;
        }
        let lists = headers.get_all(FORWARDED_FOR).iter();
        let named: Vec<&str> =
            lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).collect();
        for name in named.into_iter().rev() {
            // Trusted proxies write addresses only, so nothing from here on is theirs.
            let Ok(address) = name.trim().parse::<IpAddr>() else { return self };
            if !proxies.contains(&address.to_canonical()) {
                return Self(address.to_canonical());
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use http::{HeaderMap, HeaderValue};

    use super::Peer;

    fn seen(peer: &str, proxies: &[&str], forwarded: &[&str]) -> String {
        let proxies: Vec<IpAddr> = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for list in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_str(list).unwrap());
        }
        Peer(peer.parse().unwrap()).behind(&proxies, &headers).0.to_string()
    }

    #[test]
    fn a_client_cannot_claim_another_address() {
        assert_eq!(seen("203.0.113.9", &[], &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["127.0.0.1"], &["198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn a_trusted_proxy_is_believed_and_nothing_before_it() {
        let ours = ["127.0.0.1", "10.0.0.2"];
        assert_eq!(seen("127.0.0.1", &ours, &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &ours, &["6.6.6.6, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(seen("127.0.0.1", &ours, &["6.6.6.6", "198.51.100.1,10.0.0.2"]), "198.51.100.1");
        assert_eq!(seen("::ffff:127.0.0.1", &ours, &["2001:db8::1"]), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", &ours, &["198.51.100.1, unknown"]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &ours, &["10.0.0.2"]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", &ours, &[]), "127.0.0.1");
    }
}
