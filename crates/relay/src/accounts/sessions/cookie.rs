//! The cookie in which a browser keeps a refresh token. Scripts cannot read it, and other sites cannot make the browser
//! send it.

use std::net::IpAddr;

use assent_outbound::Origin;
use assent_protocol::a2h::ApiCode;
use http::{
    HeaderMap, HeaderValue,
    header::{COOKIE, HOST},
};
use zeroize::Zeroizing;

use super::rotation::LIFETIME;
use crate::{http::Refusal, settings::Settings};

const NAME: &str = "refresh_token";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Returns the refresh token in the cookie of a request.
pub(crate) fn read(headers: &HeaderMap) -> Option<Zeroizing<String>> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let mut values = pairs.filter(|(name, _)| name.trim() == NAME).map(|(_, value)| value.trim());
    values.next().filter(|value| !value.is_empty()).map(|value| Zeroizing::new(value.to_owned()))
}

/// Returns the cookie that holds `token`.
pub(crate) fn holding(token: &str, secure: bool) -> Result<HeaderValue, Refusal> {
    written(token, LIFETIME.as_secs(), secure)
}

/// Returns the cookie that makes a browser delete the token.
pub(crate) fn cleared(secure: bool) -> Result<HeaderValue, Refusal> {
    written("", 0, secure)
}

fn written(value: &str, max_age: u64, secure: bool) -> Result<HeaderValue, Refusal> {
    let secure = if secure { "; Secure" } else { "" };
    let cookie = Zeroizing::new(format!(
        "{NAME}={value}; Path=/auth; Max-Age={max_age}; HttpOnly; SameSite=Strict{secure}"
    ));
    let failed = |_| Refusal::new(ApiCode::InternalError, "the cookie could not be written");
    let mut cookie = HeaderValue::from_str(&cookie).map_err(failed)?;
    cookie.set_sensitive(true);
    Ok(cookie)
}

/// Returns `false` if the browser runs on this machine and connects without TLS. Only then it would not store a cookie
/// that is `Secure`.
pub(crate) fn is_secure(settings: &Settings, headers: &HeaderMap, peer: IpAddr) -> bool {
    match &settings.public_url {
        Some(url) => url.is_encrypted() || !url.is_loopback(),
        None => !is_local(headers, peer),
    }
}

/// A proxy on this machine may pass on the name that the browser uses, or report that the browser uses TLS.
fn is_local(headers: &HeaderMap, peer: IpAddr) -> bool {
    let by_https = headers
        .get(FORWARDED_PROTO)
        .is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
    let local_name = headers.get(HOST).is_none_or(is_local_name);
    peer.to_canonical().is_loopback() && local_name && !by_https
}

fn is_local_name(host: &HeaderValue) -> bool {
    let origin = host.to_str().ok().and_then(|host| format!("http://{host}").parse().ok());
    origin.is_some_and(|origin: Origin| origin.is_loopback())
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::{cleared, holding, is_secure, read};
    use crate::settings::Settings;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.iter().map(pair) {
            headers.append(name, value);
        }
        headers
    }

    #[test]
    fn the_token_is_found_among_other_cookies_and_nothing_else_is_taken_for_it() {
        for (cookies, expected) in [
            (vec!["refresh_token=hrt_a"], Some("hrt_a")),
            (vec!["a=b; refresh_token=hrt_a; c=d"], Some("hrt_a")),
            (vec!["a=b", "refresh_token=hrt_a"], Some("hrt_a")),
            (vec!["refresh_token=hrt_a; refresh_token=hrt_b"], Some("hrt_a")),
            (vec!["xrefresh_token=hrt_a"], None),
            (vec!["refresh_token="], None),
            (vec!["refresh_token"], None),
            (vec![], None),
        ] {
            let pairs: Vec<_> = cookies.iter().map(|cookie| ("cookie", *cookie)).collect();
            let found = read(&headers(&pairs)).map(|token| token.to_string());
            assert_eq!(found.as_deref(), expected, "{cookies:?}");
        }
    }

    #[test]
    fn the_cookie_is_secure_except_between_a_browser_and_a_relay_on_one_machine() {
        let host = |name: &str| headers(&[("host", name)]);
        let behind_tls = headers(&[("host", "127.0.0.1:8700"), ("x-forwarded-proto", "https")]);
        for (headers, peer, secure) in [
            (host("127.0.0.1:8700"), "127.0.0.1", false),
            (host("localhost:8700"), "127.0.0.1", false),
            (host("relay.localhost"), "::ffff:127.0.0.1", false),
            (host("[::1]:8700"), "::1", false),
            (HeaderMap::new(), "127.0.0.1", false),
            (host("relay.example.org"), "127.0.0.1", true),
            (host("localhost.example.org"), "127.0.0.1", true),
            (host("notlocalhost"), "127.0.0.1", true),
            (host("a b"), "127.0.0.1", true),
            (behind_tls, "127.0.0.1", true),
            (host("127.0.0.1:8700"), "192.0.2.7", true),
            (host("relay.example.org"), "192.0.2.7", true),
        ] {
            let (mut settings, address) = (Settings::new("data"), peer.parse().unwrap());
            assert_eq!(is_secure(&settings, &headers, address), secure, "{headers:?} from {peer}");
            settings.public_url = Some("https://relay.example.org".parse().unwrap());
            assert!(is_secure(&settings, &headers, address), "{headers:?} from {peer}");
            settings.public_url = Some("http://localhost:8700".parse().unwrap());
            assert!(!is_secure(&settings, &headers, address), "{headers:?} from {peer}");
        }
    }

    #[test]
    fn the_cookie_is_for_logging_in_and_not_for_scripts() {
        let cookie = holding("hrt_a", true).unwrap();
        let expected = "refresh_token=hrt_a; Path=/auth; Max-Age=2592000; HttpOnly; \
            SameSite=Strict; Secure";
        assert_eq!(cookie.to_str().unwrap(), expected);
        assert_eq!(format!("{cookie:?}"), "Sensitive");
    }

    #[test]
    fn clearing_leaves_no_token() {
        let cookie = cleared(false).unwrap();
        let expected = "refresh_token=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Strict";
        assert_eq!(cookie.to_str().unwrap(), expected);
    }
}
