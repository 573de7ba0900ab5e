//! Numbers of schemas and witnesses, exactly as they are written.

use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, ToPrimitive};
use serde_json::{Number, Value};

/// The number that the text of `number` stands for, digit by digit: `0.1` is one tenth.
pub(crate) fn exactly(number: &Number) -> Option<BigRational> {
    parse(&number.to_string())
}

fn parse(text: &str) -> Option<BigRational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, i32::from_str(exponent).ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = BigInt::from_str(&format!("{whole}{fraction}")).ok()?;
    let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let power = BigInt::from(10).pow(exponent.unsigned_abs());
    Some(if exponent >= 0 {
        BigRational::from_integer(digits * power)
    } else {
        BigRational::new(digits, power)
    })
}

/// The JSON number nearest to `number`.
pub(crate) fn to_json(number: &BigRational) -> Option<Number> {
    if number.is_integer() {
        let integer = number.numer();
        if let Some(integer) = integer.to_i64() {
            return Some(integer.into());
        }
        if let Some(integer) = integer.to_u64() {
            return Some(integer.into());
        }
    }
    match Value::from(number.to_f64()?) {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_mean_what_their_digits_say() {
        for (text, numerator, denominator) in
            [("0.1", 1, 10), ("-2.50", -5, 2), ("1e3", 1000, 1), ("25e-2", 1, 4), ("-0", 0, 1)]
        {
            let expected = BigRational::new(numerator.into(), denominator.into());
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_number_survives_the_way_to_json_and_back() {
        for text in ["0.1", "-7", "1e-300", "123456789.5", "18446744073709551615"] {
            let number = parse(text).unwrap();
            assert_eq!(exactly(&to_json(&number).unwrap()), Some(number), "{text}");
        }
    }
}
