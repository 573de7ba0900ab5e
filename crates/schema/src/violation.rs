//! Why a value is not accepted by a schema, in words that may be shown to anyone.

use std::borrow::Cow;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};

pub(crate) mod text;

/// One reason why a value is refused.
///
/// The text names fields and limits, never the refused value itself: arguments may be secret, and
/// errors travel further than arguments. Most of it was written when the schema was compiled, and is
/// borrowed from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation<'s> {
    /// The value inside the input, as a JSON Pointer.
    pub path: Cow<'s, str>,
    /// The keyword that refused it.
    pub keyword: Cow<'s, str>,
    /// What is wrong, in a sentence.
    pub message: Cow<'s, str>,
}

impl Violation<'_> {
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        Self {
            path: Cow::Owned(error.instance_path().as_str().to_owned()),
            keyword: Cow::Owned(error.kind().keyword().to_owned()),
            message: Cow::Owned(explain(error)),
        }
    }
}

impl std::fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = if self.path.is_empty() { "the input" } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

pub(crate) fn explain(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Required { property } => text::required(property.as_str().unwrap_or_default()),
        Kind::Type { kind } => expected_type(kind),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            text::unknown_fields(unexpected)
        }
        Kind::AdditionalItems { limit } => format!("at most {limit} items are allowed"),
        Kind::UnevaluatedItems { .. } => text::too_many_items(),
        Kind::Enum { options } => text::options(&text::shortened(options)),
        Kind::Constant { expected_value } => text::constant(&text::shortened(expected_value)),
        Kind::Minimum { limit } => text::minimum(limit),
        Kind::Maximum { limit } => text::maximum(limit),
        Kind::ExclusiveMinimum { limit } => text::exclusive_minimum(limit),
        Kind::ExclusiveMaximum { limit } => text::exclusive_maximum(limit),
        Kind::MultipleOf { multiple_of } => text::multiple_of(multiple_of),
        Kind::MinLength { limit } => text::at_least(*limit, "characters"),
        Kind::MaxLength { limit } => text::at_most(*limit, "characters"),
        Kind::MinItems { limit } => text::at_least(*limit, "items"),
        Kind::MaxItems { limit } => text::at_most(*limit, "items"),
        Kind::MinProperties { limit } => text::at_least(*limit, "fields"),
        Kind::MaxProperties { limit } => text::at_most(*limit, "fields"),
        Kind::UniqueItems => text::repeated(),
        Kind::Contains => text::contains(),
        Kind::Pattern { pattern } => text::pattern(pattern),
        Kind::Format { format } => text::format(format),
        Kind::PropertyNames { error } => {
            format!("{}: {}", text::bad_name(), explain(error))
        }
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => text::no_alternative(),
        Kind::OneOfMultipleValid { .. } => text::several_alternatives(),
        Kind::Not { .. } => text::excluded(),
        Kind::FalseSchema => text::nothing_allowed(),
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
        TypeKind::Single(wanted) => text::types(&[wanted.to_string()]),
        TypeKind::Multiple(wanted) => {
            let names: Vec<String> = wanted.iter().map(|wanted| wanted.to_string()).collect();
            text::types(&names)
        }
    }
}
