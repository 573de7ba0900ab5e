//! Texts that are of a format beyond doubt: nearly all that tools are given. About all others the
//! validator is asked, which knows the formats to the last exception and takes its time.

/// What recognises some texts that are of this format, and none that are not.
pub(super) fn recogniser(format: &str) -> fn(&[u8]) -> bool {
    match format {
        "email" => is_email,
        "uri" => is_uri,
        "date-time" => is_moment,
        _ => |_| false,
    }
}

/// `ada.lovelace@mail.example.org`
fn is_email(text: &[u8]) -> bool {
    const LONGEST: usize = 200;
    let Some(at) = text.iter().position(|byte| *byte == b'@') else { return false };
    let (Some(local), Some(domain)) = (text.get(..at), text.get(at + 1..)) else { return false };
    text.len() <= LONGEST && are_labels(local) && domain.contains(&b'.') && are_labels(domain)
}

/// Short runs of letters and digits between dots.
fn are_labels(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'.').all(|label| {
        label.len() < 60
            && label.first().is_some_and(u8::is_ascii_alphabetic)
            && label.iter().all(u8::is_ascii_alphanumeric)
    })
}

/// `https://example.org/a/b?c=d&e=f`
fn is_uri(text: &[u8]) -> bool {
    let rest = text.strip_prefix(b"https://").or_else(|| text.strip_prefix(b"http://"));
    rest.is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_alphabetic) && rest.iter().all(|byte| is_plain(*byte))
    })
}

/// What may stand anywhere behind the host of an address, and in it.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/' | b'?' | b'=' | b'&')
}

/// `2031-03-09T17:30:00Z`, on a day that every month has and in a second that every minute has.
fn is_moment(text: &[u8]) -> bool {
    let &[c, d, y, z, b'-', m, n, b'-', e, f, b'T', h, i, b':', o, p, b':', s, t, b'Z'] = text
    else {
        return false;
    };
    number(c, d).is_some_and(|century| century > 0)
        && number(y, z).is_some()
        && number(m, n).is_some_and(|month| (1..=12).contains(&month))
        && number(e, f).is_some_and(|day| (1..=28).contains(&day))
        && number(h, i).is_some_and(|hour| hour < 24)
        && number(o, p).is_some_and(|minute| minute < 60)
        && number(s, t).is_some_and(|second| second < 60)
}

/// The number that two digits are.
fn number(tens: u8, ones: u8) -> Option<u8> {
    let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    are_digits.then(|| (tens - b'0') * 10 + (ones - b'0'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::recogniser;
    use crate::{representation::Instance, rules::keywords::asked};

    fn validator_accepts(format: &str, text: &str) -> bool {
        let validator = asked("format", &json!(format)).unwrap();
        validator.is_valid(Instance::Name(text))
    }

    #[test]
    fn what_people_write_is_recognised() {
        for (format, text) in [
            ("email", "ada@example.org"),
            ("email", "ada.lovelace2@mail.example2.org"),
            ("uri", "https://api.example.org/v2/orders?state=open&limit=50"),
            ("uri", "http://a"),
            ("date-time", "2031-03-09T17:30:00Z"),
            ("date-time", "0100-12-28T23:59:59Z"),
        ] {
            assert!(recogniser(format)(text.as_bytes()), "{text}");
            assert!(validator_accepts(format, text), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn whatever_is_recognised_is_of_the_format(
            email in "[a-b0-1.A_-]{1,3}[a-z.]{0,70}@[a-b0-1.-]{1,6}[a-z.]{0,70}",
            uri in "https?:/{1,3}[a-bA0-1._~/?=&%:#@-]{0,12}",
            moment in "[0-2]{4}-[01][0-9]-[0-3][0-9][Tt][0-2][0-9]:[0-6][0-9]:[0-6][0-9]Z",
        ) {
            for (format, text) in [("email", email), ("uri", uri), ("date-time", moment)] {
                if recogniser(format)(text.as_bytes()) {
                    prop_assert!(validator_accepts(format, &text), "{}", text);
                }
            }
        }
    }
}
