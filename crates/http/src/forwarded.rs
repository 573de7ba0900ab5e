//! Requests that proxies forward.

use std::net::IpAddr;

use http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Headers that proxies add.
const FORWARDED: [&str; 5] =
    ["forwarded", FORWARDED_FOR, "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// Returns `true` if a proxy seems to have forwarded the request.
#[must_use]
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    FORWARDED.iter().any(|name| headers.contains_key(*name))
}

/// The address of the client: the one that a trusted proxy reports, if `peer` is one, and else `peer`.
///
/// Each proxy appends the address it was called from. The last one that is not a trusted proxy is the client's;
/// the client may have made up everything before it.
#[must_use]
pub fn client_address(peer: IpAddr, proxies: &[IpAddr], headers: &HeaderMap) -> IpAddr {
    if !proxies.contains(&peer.to_canonical()) {
        return peer;
    }
    let lists = headers.get_all(FORWARDED_FOR).iter();
    let named: Vec<&str> =
        lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).collect();
    for name in named.into_iter().rev() {
        // Trusted proxies write addresses only, so nothing from here on is theirs.
        let Ok(address) = name.trim().parse::<IpAddr>() else { return peer };
        if !proxies.contains(&address.to_canonical()) {
            return address.to_canonical();
        }
    }
    peer
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use http::{HeaderMap, HeaderValue};

    use super::client_address;

    fn seen(peer: &str, proxies: &[&str], forwarded: &[&str]) -> String {
        let proxies: Vec<IpAddr> = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for list in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_str(list).unwrap());
        }
        client_address(peer.parse().unwrap(), &proxies, &headers).to_string()
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
