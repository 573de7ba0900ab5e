//! Builds the context of a call for policies.
//!
//! Values are built from the types of the schema. They never pass through Cedar's JSON format, in which an
//! argument could pose as an entity.

use assent_json::{Node, Number, Pointer};
use assent_policy::{PolicyError, Question};
use cedar_policy::{Context, RestrictedExpression as Expression};

use crate::types::{Attribute, Record, Type};

/// Builds the context of a call. A declared argument that Cedar cannot express is an error.
pub(crate) fn context(question: &Question<'_>, record: &Record) -> Result<Context, PolicyError> {
    let input = record_of(question.input, record, &Pointer::root())?;
    let flags = [
        ("read_only", question.safety.read_only),
        ("destructive", question.safety.destructive),
        ("open_world", question.safety.open_world),
    ];
    let texts = [
        ("mode", Some(question.mode.as_str())),
        ("operation", question.operation),
        ("session", question.session),
    ];
    let flags = flags.map(|(key, flag)| (key.to_owned(), Expression::new_bool(flag)));
    let texts = texts.into_iter().filter_map(|(key, text)| {
        text.map(|text| (key.to_owned(), Expression::new_string(text.to_owned())))
    });
    let now = i64::try_from(question.now.get()).unwrap_or(i64::MAX);
    let rest = [("input".to_owned(), input), ("now".to_owned(), Expression::new_long(now))];
    Context::from_pairs(flags.into_iter().chain(texts).chain(rest))
        .map_err(|_| fault(&Pointer::root()))
}

fn fault(at: &Pointer) -> PolicyError {
    PolicyError::Input(at.to_string())
}

fn record_of(node: Node<'_>, record: &Record, at: &Pointer) -> Result<Expression, PolicyError> {
    let mut fields = Vec::with_capacity(record.0.len());
    for (key, attribute) in &record.0 {
        if let Some(value) = attribute_of(node, key, attribute, at)? {
            fields.push((key.to_string(), value));
        }
    }
    Expression::new_record(fields).map_err(|_| fault(at))
}

/// Returns the value of an attribute; `None` if it is optional and missing or `null`.
fn attribute_of(
    node: Node<'_>,
    key: &str,
    attribute: &Attribute,
    at: &Pointer,
) -> Result<Option<Expression>, PolicyError> {
    match node.get(key) {
        Some(value) if value.kind() != assent_json::Kind::Null => {
            value_of(value, &attribute.kind, &at.key(key)).map(Some)
        }
        // Policies may rely on what the schema requires.
        _ if attribute.required => Err(fault(&at.key(key))),
        _ => Ok(None),
    }
}

fn value_of(node: Node<'_>, kind: &Type, at: &Pointer) -> Result<Expression, PolicyError> {
    let value = match kind {
        Type::Bool => node.as_bool().map(Expression::new_bool),
        Type::String => node.as_str().map(|text| Expression::new_string(text.to_owned())),
        Type::Long => node.as_number().and_then(|n| n.as_i64()).map(Expression::new_long),
        Type::Decimal => node.as_number().and_then(decimal).map(Expression::new_decimal),
        Type::Set(element) => return set_of(node, element, at),
        Type::Record(record) => return object_of(node, record, at),
    };
    value.ok_or_else(|| fault(at))
}

fn set_of(node: Node<'_>, element: &Type, at: &Pointer) -> Result<Expression, PolicyError> {
    if node.kind() != assent_json::Kind::Array {
        return Err(fault(at));
    }
    let values = node.elements().enumerate();
    let values: Result<Vec<_>, _> =
        values.map(|(index, value)| value_of(value, element, &at.index(index))).collect();
    values.map(Expression::new_set)
}

fn object_of(node: Node<'_>, record: &Record, at: &Pointer) -> Result<Expression, PolicyError> {
    match node.kind() {
        assent_json::Kind::Object => record_of(node, record, at),
        _ => Err(fault(at)),
    }
}

/// Formats a number as a Cedar decimal; `None` if it has more than four places or too many digits.
fn decimal(number: Number<'_>) -> Option<String> {
    /// The decimal places of Cedar.
    const PLACES: usize = 4;
    let (whole, fraction) = number.as_str().split_once('.').unwrap_or((number.as_str(), "0"));
    let is_plain = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    if !is_plain(digits) || !is_plain(fraction) || fraction.len() > PLACES {
        return None;
    }
    let scaled: i64 = format!("{whole}{fraction:0<PLACES$}").parse().ok()?;
    // A `-0.5` must keep its sign, so the text is used and not the number.
    (scaled != i64::MIN).then(|| format!("{whole}.{fraction}"))
}
