//! Why a value is not accepted by a schema, in words that may be shown to anyone.

use std::fmt::Write as _;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

/// One reason why a value is refused.
///
/// The text names fields and limits, never the refused value itself: arguments may be secret, and
/// errors travel further than arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The value inside the input, as a JSON Pointer.
    pub path: String,
    /// The keyword that refused it.
    pub keyword: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Violation {
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        Self {
            path: error.instance_path().as_str().to_owned(),
            keyword: error.kind().keyword().to_owned(),
            message: explain(error),
        }
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = if self.path.is_empty() { "the input" } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

pub(crate) fn explain(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Required { property } => format!("the field {property} is missing"),
        Kind::Type { kind } => expected_type(kind),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unknown_fields(unexpected)
        }
        Kind::AdditionalItems { limit } => format!("at most {limit} items are allowed"),
        Kind::UnevaluatedItems { .. } => "there are more items than the schema describes".into(),
        Kind::Enum { options } => format!("must be one of {}", shortened(options)),
        Kind::Constant { expected_value } => format!("must be {}", shortened(expected_value)),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("must have at least {limit} characters"),
        Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
        Kind::MinItems { limit } => format!("must have at least {limit} items"),
        Kind::MaxItems { limit } => format!("must have at most {limit} items"),
        Kind::MinProperties { limit } => format!("must have at least {limit} fields"),
        Kind::MaxProperties { limit } => format!("must have at most {limit} fields"),
        Kind::UniqueItems => "must not hold the same item twice".into(),
        Kind::Contains => {
            "too few or too many items are of the kind that `contains` asks for".into()
        }
        Kind::Pattern { pattern } => format!("must match the pattern `{pattern}`"),
        Kind::Format { format } => format!("must be a valid `{format}`"),
        Kind::PropertyNames { error } => {
            format!("has a field whose name is not allowed: {}", explain(error))
        }
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => "fits none of the alternatives".into(),
        Kind::OneOfMultipleValid { .. } => "fits more than one of the alternatives".into(),
        Kind::Not { .. } => "is of a kind that is excluded".into(),
        Kind::FalseSchema => "nothing is allowed here".into(),
        Kind::ContentEncoding { content_encoding } => {
            format!("must be encoded as `{content_encoding}`")
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("must be of type `{content_media_type}`")
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "could not be matched against the pattern".into()
        }
        Kind::Custom { message, .. } => message.clone(),
        Kind::FromUtf8 { .. } => "must be UTF-8 when decoded".into(),
        Kind::Referencing(_) => "the schema refers to something that does not exist".into(),
    }
}

fn expected_type(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(wanted) => format!("must be of type {wanted}"),
        TypeKind::Multiple(wanted) => {
            let names: Vec<_> = wanted.iter().map(|wanted| wanted.to_string()).collect();
            format!("must be of type {}", names.join(" or "))
        }
    }
}

fn unknown_fields(names: &[String]) -> String {
    let mut text = String::from(if names.len() == 1 { "unknown field" } else { "unknown fields" });
    for (position, name) in names.iter().take(5).enumerate() {
        let separator = if position == 0 { " " } else { ", " };
        let _ = write!(text, "{separator}`{}`", name.escape_debug());
    }
    if names.len() > 5 {
        text.push_str(", …");
    }
    text
}

/// The schema's own value, cut where it would flood the message.
fn shortened(value: &Value) -> String {
    const SHOWN: usize = 120;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
