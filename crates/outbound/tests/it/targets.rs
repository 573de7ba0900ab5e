//! Which URLs may be registered.

use assent_outbound::{MAX_TARGET_BYTES, Origins, Reach, Target, TargetError};
use proptest::prelude::*;

fn strangers() -> Reach {
    Reach::Public(Origins::default())
}

fn except(origins: &str) -> Reach {
    Reach::Public(origins.parse().unwrap())
}

fn judge(url: &str) -> Result<String, String> {
    let target = Target::parse(url, &strangers());
    target.map(|target| target.as_str().to_owned()).map_err(|error| error.to_string())
}

#[test]
fn a_public_https_address_may_be_called() {
    for (url, kept) in [
        ("https://hooks.example.com", "https://hooks.example.com/"),
        ("https://hooks.example.com/a?b=c", "https://hooks.example.com/a?b=c"),
        ("HTTPS://Hooks.Example.COM:443/A", "https://hooks.example.com/A"),
        ("https://hooks.example.com:8443/", "https://hooks.example.com:8443/"),
        ("https://bücher.example.com/ä", "https://xn--bcher-kva.example.com/%C3%A4"),
        ("https://9.9.9.9/", "https://9.9.9.9/"),
        ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"),
        ("https://hooks.example.com/@me", "https://hooks.example.com/@me"),
        ("https://localhost.example.com/", "https://localhost.example.com/"),
        ("https://mylocal.example/", "https://mylocal.example/"),
        (
            "https://notlocal/..",
            "the host `notlocal` is not a public name; use one of the public DNS",
        ),
    ] {
        assert_eq!(judge(url).unwrap_or_else(|error| error), kept, "{url}");
    }
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let private = |name: &str| TargetError::PrivateName(name.to_owned());
    for (url, expected) in [
        ("", TargetError::Malformed),
        ("hooks.example.com", TargetError::Malformed),
        ("https:hooks.example.com", TargetError::Malformed),
        ("https:///hooks.example.com/", TargetError::Malformed),
        ("https://", TargetError::Malformed),
        ("https://hooks.example.com:99999/", TargetError::Malformed),
        ("http://hooks.example.com/", TargetError::NotEncrypted),
        ("ftp://hooks.example.com/", TargetError::NotEncrypted),
        ("file:///etc/passwd", TargetError::NotEncrypted),
        ("https://user@hooks.example.com/", TargetError::Credentials),
        ("https://user:word@hooks.example.com/", TargetError::Credentials),
        ("https://@hooks.example.com/", TargetError::Credentials),
        ("https://:@hooks.example.com/", TargetError::Credentials),
        ("https:user@hooks.example.com/://elsewhere.example/", TargetError::Malformed),
        ("https:user@hooks.example.com://elsewhere.example/", TargetError::Malformed),
        ("https://hooks.example.com/#a", TargetError::Fragment),
        ("https://hooks.example.com/#", TargetError::Fragment),
        (" https://hooks.example.com/", TargetError::Ambiguous),
        ("https://hooks.example.com/a b", TargetError::Ambiguous),
        ("https://hooks.example\n.com/", TargetError::Ambiguous),
        ("https:\\\\hooks.example.com/", TargetError::Ambiguous),
        ("https://hooks.example.com\u{a0}", TargetError::Ambiguous),
        ("https://hooks.example.com:0/", TargetError::Port(0)),
        ("https://hooks.example.com:22/", TargetError::Port(22)),
        ("https://hooks.example.com:442/", TargetError::Port(442)),
        ("https://hooks.example.com:1023/", TargetError::Port(1023)),
        ("https://hooks/", private("hooks")),
        ("https://hooks.example.com./", private("hooks.example.com.")),
        ("https://LOCALHOST/", private("localhost")),
        ("https://a.localhost/", private("a.localhost")),
        ("https://metadata.google.internal/", private("metadata.google.internal")),
        ("https://router.home.arpa/", private("router.home.arpa")),
    ] {
        assert_eq!(Target::parse(url, &strangers()), Err(expected), "{url}");
    }
    for port in [443, 1024, 65535] {
        assert!(judge(&format!("https://hooks.example.com:{port}/")).is_ok(), "{port}");
    }
}

#[test]
fn every_spelling_of_an_address_is_judged_as_the_address() {
    for spelling in
        ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "0x7f.1"]
    {
        let error = Target::parse(&format!("https://{spelling}/"), &strangers()).unwrap_err();
        assert_eq!(error.to_string(), "`127.0.0.1` is not a public address: loopback");
    }
    for spelling in ["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"] {
        let error = Target::parse(&format!("https://{spelling}/"), &strangers()).unwrap_err();
        assert!(matches!(error, TargetError::NotPublic(_)), "{spelling}: {error}");
    }
}

#[test]
fn a_url_has_a_longest_length_also_after_it_was_encoded() {
    let start = "https://hooks.example.com/";
    let of = |length: usize| format!("{start}{}", "a".repeat(length - start.len()));
    assert!(judge(&of(MAX_TARGET_BYTES)).is_ok());
    let too_long = Err(TargetError::TooLong);
    assert_eq!(Target::parse(&of(MAX_TARGET_BYTES + 1), &strangers()), too_long);
    let grows = format!("{start}{}", "ä".repeat(MAX_TARGET_BYTES / 3));
    assert!(grows.len() <= MAX_TARGET_BYTES);
    assert_eq!(Target::parse(&grows, &strangers()), too_long);
}

#[test]
fn an_exception_is_for_one_origin_and_nothing_else() {
    let reach = except("http://127.0.0.1:8080");
    for url in ["http://127.0.0.1:8080/a", "http://127.1:8080/", "http://2130706433:8080/?b"] {
        assert!(Target::parse(url, &reach).is_ok(), "{url}");
    }
    for url in [
        "http://127.0.0.1:8081/",
        "http://127.0.0.1/",
        "https://127.0.0.1:8080/",
        "http://127.0.0.2:8080/",
        "http://[::ffff:127.0.0.1]:8080/",
        "http://localhost:8080/",
        "http://127.0.0.1.example.com:8080/",
        "http://hooks.example.com:8080/",
        "http://user@127.0.0.1:8080/",
        "http://127.0.0.1:8080/#a",
        "http://127.0.0.1:8080\\@hooks.example.com/",
    ] {
        assert!(Target::parse(url, &reach).is_err(), "{url}");
    }
    assert!(Target::parse("https://hooks.example.com/", &reach).is_ok());
}

#[test]
fn exceptions_are_scheme_host_and_port_only() {
    let read = |text: &str| text.parse::<Origins>();
    assert!(read("").unwrap().is_empty() && read(" , ").unwrap().is_empty());
    let two = read("http://127.0.0.1:8080,\n https://receiver:9443/").unwrap();
    assert_eq!(two.to_string(), "http://127.0.0.1:8080, https://receiver:9443");
    assert_eq!(read(&two.to_string()), Ok(two));
    for text in [
        "127.0.0.1:8080",
        "*",
        "http://*:80*",
        "http://127.0.0.1:8080/hooks",
        "http://127.0.0.1:8080//",
        "http://127.0.0.1:8080?",
        "http://127.0.0.1:8080#",
        "http://user@127.0.0.1:8080",
        "http:127.0.0.1:8080",
        "http://127.0.0.1:0",
        "ftp://127.0.0.1:21",
        "http://127.0.0.1:8080\\",
        "http://",
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}` is not an origin")), "{error}");
    }
}

#[test]
fn a_debug_print_shows_no_path() {
    let target = Target::parse("https://hooks.example.com/planted?planted", &strangers()).unwrap();
    assert_eq!(format!("{target:?}"), "Target(https://hooks.example.com:443)");
}

proptest! {
    /// Whatever is accepted is accepted in the form in which it is kept, and then means the same.
    #[test]
    fn what_is_kept_is_read_again_as_the_same(
        url in "(https?:/{0,3}|HTTPS://)([a-z0-9.%:@\\[\\]-]|[äⓛ。\u{ad}]){1,20}(:[0-9]{1,5})?([/?#][a-z%@|{}\"'<>`^\u{e4}]{0,8}){0,3}",
    ) {
        for reach in [strangers(), except("http://127.0.0.1:8080"), Reach::Anywhere] {
            let Ok(target) = Target::parse(&url, &reach) else { continue };
            let again = Target::parse(target.as_str(), &reach);
            prop_assert_eq!(again, Ok(target));
        }
    }

    #[test]
    fn an_address_may_be_called_exactly_if_it_is_public(bits in any::<u32>()) {
        let address = std::net::Ipv4Addr::from_bits(bits);
        let is_public = assent_outbound::address::vet(address.into()).is_ok();
        for spelling in [address.to_string(), bits.to_string(), format!("0x{bits:x}"), format!("0{bits:o}")] {
            prop_assert_eq!(judge(&format!("https://{spelling}/")).is_ok(), is_public);
        }
    }
}
