//! From where a request comes.

use std::net::IpAddr;

use http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address that a request comes from, as far as it can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// The address that a proxy of ours names, if the connection comes from one.
    ///
    /// Each proxy adds the address that it saw at the end: the last one that is not ours is the sender's.
    /// Whatever stands before it the sender may have made up.
    pub(super) fn behind(self, proxies: &[IpAddr], headers: &HeaderMap) -> Self {
        if !proxies.contains(&self.0.to_canonical()) {
            return self;
        }
        let lists = headers.get_all(FORWARDED_FOR).iter();
        let named: Vec<&str> =
            lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).collect();
        for name in named.into_iter().rev() {
            // What cannot be read was not written by a proxy of ours: nobody before it is believed.
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
    fn a_stranger_cannot_say_that_he_is_somebody_else() {
        assert_eq!(seen("203.0.113.9", &[], &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &["127.0.0.1"], &["198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn a_proxy_of_ours_is_believed_and_nobody_before_it() {
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
