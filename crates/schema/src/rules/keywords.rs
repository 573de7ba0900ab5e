//! From a keyword that holds no schemas to what it asks for.

use jsonschema::Validator;
use serde_json::Value;

use super::{
    Described, Matcher, Schema, Values,
    limits::{ArrayLimit, Limits, MAX_EXACT, NumberLimit, ObjectLimit, TextLimit},
    matcher::TableBudget,
    plain,
    words::Words,
};
use crate::{
    compare::Kinds,
    input_schema::options,
    keywords::is_annotation,
    representation::OnTape,
    violation::text::{self, shortened},
};

impl Schema {
    /// Adds what a keyword asks for. Nothing if it is not understood.
    pub(super) fn add_limit(
        &mut self,
        keyword: &str,
        value: &Value,
        tables: &mut TableBudget,
    ) -> Option<()> {
        let Limits { texts, numbers, arrays, objects } = &mut self.limits;
        match keyword {
            "type" => self.kinds = Some(kinds(value)?),
            "enum" => {
                let message = text::options(&shortened(value));
                self.values.push(Described::new("enum", message, values(value.as_array()?)));
            }
            "const" => {
                let message = text::constant(&shortened(value));
                let options = values(std::slice::from_ref(value));
                self.values.push(Described::new("const", message, options));
            }
            "minimum" => numbers.push(number("minimum", value, NumberLimit::AtLeast)?),
            "maximum" => numbers.push(number("maximum", value, NumberLimit::AtMost)?),
            "exclusiveMinimum" => {
                numbers.push(number("exclusiveMinimum", value, NumberLimit::Above)?);
            }
            "exclusiveMaximum" => {
                numbers.push(number("exclusiveMaximum", value, NumberLimit::Below)?);
            }
            "multipleOf" => numbers.push(multiple(value)?),
            "minLength" => texts.push(least("minLength", value, "characters", TextLimit::AtLeast)?),
            "maxLength" => texts.push(most("maxLength", value, "characters", TextLimit::AtMost)?),
            "minItems" => arrays.push(least("minItems", value, "items", ArrayLimit::AtLeast)?),
            "maxItems" => arrays.push(most("maxItems", value, "items", ArrayLimit::AtMost)?),
            "minProperties" => {
                objects.push(least("minProperties", value, "fields", ObjectLimit::AtLeast)?);
            }
            "maxProperties" => {
                objects.push(most("maxProperties", value, "fields", ObjectLimit::AtMost)?);
            }
            "pattern" => {
                let pattern = value.as_str()?;
                let limit = TextLimit::Matches(Matcher::new(pattern, tables)?);
                texts.push(Described::new("pattern", text::pattern(pattern), limit));
            }
            "format" => {
                let format = value.as_str()?;
                let limit = TextLimit::Format(plain::recogniser(format), asked("format", value)?);
                texts.push(Described::new("format", text::format(format), limit));
            }
            "uniqueItems" if value == &Value::Bool(false) => {}
            "uniqueItems" => {
                arrays.push(Described::new("uniqueItems", text::repeated(), ArrayLimit::Distinct));
            }
            // Places that references lead to, and counts that `contains` has looked at.
            "$anchor" | "$dynamicAnchor" | "minContains" | "maxContains" => {}
            _ if is_annotation(keyword) => {}
            _ => return None,
        }
        Some(())
    }
}

/// A validator for nothing but one keyword.
pub(super) fn asked(keyword: &str, value: &Value) -> Option<Box<Validator<OnTape>>> {
    let schema = serde_json::json!({ keyword: value });
    options::<OnTape>().build(&schema).ok().map(Box::new)
}

fn kinds(value: &Value) -> Option<Described<Kinds>> {
    let names: Vec<String> = match value {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    let kinds = names.iter().fold(Kinds::default(), |kinds, name| kinds.union(Kinds::named(name)));
    Some(Described::new("type", text::types(&names), kinds))
}

fn values(options: &[Value]) -> Values {
    let strings = options.iter().filter_map(Value::as_str).map(|text| (text.to_owned(), ()));
    let others = options.iter().filter(|option| !option.is_string()).cloned().collect();
    Values { strings: Words::new(strings), others }
}

/// Every document's number is a double. Up to 2^53 doubles are exact, and so is comparing with them;
/// beyond, the validator has its own notion of which digits count.
fn number(
    keyword: &'static str,
    limit: &Value,
    ours: fn(f64) -> NumberLimit,
) -> Option<Described<NumberLimit>> {
    let message = match keyword {
        "minimum" => text::minimum(limit),
        "maximum" => text::maximum(limit),
        "exclusiveMinimum" => text::exclusive_minimum(limit),
        _ => text::exclusive_maximum(limit),
    };
    // Not 2^53 itself: what lies behind it may have been rounded to it.
    let double = limit.as_f64().filter(|double| double.abs() < MAX_EXACT as f64);
    let rule = match double {
        Some(double) => ours(double),
        None => NumberLimit::Asked(asked(keyword, limit)?),
    };
    Some(Described::new(keyword, message, rule))
}

fn multiple(divisor: &Value) -> Option<Described<NumberLimit>> {
    let validator = asked("multipleOf", divisor)?;
    let rule = match divisor.as_i64().filter(|n| *n > 0 && n.unsigned_abs() <= MAX_EXACT) {
        Some(integer) => NumberLimit::MultipleOf(integer, validator),
        None => NumberLimit::Asked(validator),
    };
    Some(Described::new("multipleOf", text::multiple_of(divisor), rule))
}

/// A count, however it is written: `2.0` is one too.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let written_out = |double: &f64| double.fract() == 0.0 && double.abs() < MAX_EXACT as f64;
    let from_double = || value.as_f64().filter(written_out)?.to_string().parse().ok();
    value.as_u64().or_else(from_double)
}

fn least<T>(
    keyword: &'static str,
    value: &Value,
    what: &str,
    rule: fn(u64) -> T,
) -> Option<Described<T>> {
    let limit = whole(value)?;
    Some(Described::new(keyword, text::at_least(limit, what), rule(limit)))
}

fn most<T>(
    keyword: &'static str,
    value: &Value,
    what: &str,
    rule: fn(u64) -> T,
) -> Option<Described<T>> {
    let limit = whole(value)?;
    Some(Described::new(keyword, text::at_most(limit, what), rule(limit)))
}
