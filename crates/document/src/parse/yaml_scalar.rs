//! Plain scalars of YAML, by the core schema of YAML 1.2: `no` is a text.

use super::number;
use crate::tree::Data;

/// Returns the value of a plain scalar, or the problem with a number that JSON does not have or that
/// parsers disagree about.
pub(super) fn resolve(text: &str) -> Result<Data, String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Ok(Data::Null),
        "true" | "True" | "TRUE" => Ok(Data::Boolean(true)),
        "false" | "False" | "FALSE" => Ok(Data::Boolean(false)),
        _ => decimal_or_based(text).unwrap_or_else(|| Ok(Data::Text(text.to_owned()))),
    }
}

/// The number that a text spells, if it spells one.
fn decimal_or_based(text: &str) -> Option<Result<Data, String>> {
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8);
    }
    let (sign, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(unsigned) if text.starts_with('-') => ("-", unsigned),
        Some(unsigned) => ("", unsigned),
        None => ("", text),
    };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Err("infinity and \"not a number\" are not supported".to_owned()));
    }
    let Decimal { whole, fraction, exponent } = Decimal::of(unsigned)?;
    if whole.len() > 1 && whole.starts_with('0') {
        let message = "parsers disagree about a number that begins with 0: remove the 0, or use \
                       quotes to make it a text";
        return Some(Err(message.to_owned()));
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(number(&format!("{sign}{whole}{point}{fraction}{exponent}")))
}

/// A number of the base 16 or 8.
fn based(digits: &str, base: u32) -> Option<Result<Data, String>> {
    let fits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
    fits.then(|| match u64::from_str_radix(digits, base) {
        Ok(value) => number(&value.to_string()),
        Err(_) => Err("the number is too large".to_owned()),
    })
}

/// The parts of `[0-9]* (. [0-9]*)? ([eE] [-+]? [0-9]+)?`, with a digit before the exponent.
struct Decimal<'t> {
    whole: &'t str,
    fraction: &'t str,
    exponent: &'t str,
}

impl<'t> Decimal<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (whole, rest) = digits(text);
        let (fraction, exponent) = rest.strip_prefix('.').map_or(("", rest), digits);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let fits = match exponent.strip_prefix(['e', 'E']) {
            None => exponent.is_empty(),
            Some(power) => {
                let power = power.strip_prefix(['-', '+']).unwrap_or(power);
                let (digits, rest) = digits(power);
                !digits.is_empty() && rest.is_empty()
            }
        };
        fits.then_some(Self { whole, fraction, exponent })
    }
}

/// The digits at the start of a text, and what follows them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Data, resolve};
    use crate::tree::Located;

    fn value(text: &str) -> Result<Value, String> {
        resolve(text).map(|data: Data| Located { offset: 0, data }.to_value())
    }

    #[test]
    fn plain_scalars_mean_what_the_core_schema_says() {
        for (text, expected) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("Null", json!(null)),
            ("TRUE", json!(true)),
            ("false", json!(false)),
            ("no", json!("no")),
            ("on", json!("on")),
            ("y", json!("y")),
            ("0", json!(0)),
            ("-0", json!(0)),
            ("+12", json!(12)),
            ("-12", json!(-12)),
            ("0x1F", json!(31)),
            ("0o17", json!(15)),
            ("0b1", json!("0b1")),
            ("0x", json!("0x")),
            ("1.", json!(1)),
            (".5", json!(0.5)),
            ("-.5e1", json!(-5)),
            ("1e3", json!(1000)),
            ("1e", json!("1e")),
            (".", json!(".")),
            ("-", json!("-")),
            ("1_000", json!("1_000")),
            ("12:30", json!("12:30")),
            ("1.2.3", json!("1.2.3")),
            ("nan", json!("nan")),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn numbers_that_parsers_disagree_about_are_refused() {
        for text in ["010", "00", "-01.5", ".inf", "-.INF", ".nan", "9007199254740993", "1e999"] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value("0xFFFFFFFFFFFFFFFFF").is_err());
    }
}
