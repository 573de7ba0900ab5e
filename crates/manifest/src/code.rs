//! The closed list of what can be wrong with a manifest.

use std::fmt;

/// A problem's stable name. Each has a page in `docs/errors/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The text is not JSON.
    NotJson,
    /// An object has two members of one name.
    DuplicateKey,
    /// The text is JSON, but has no canonical form.
    NotCanonicalizable,
    /// The canonical form is longer than 128 KB.
    ManifestTooLarge,
    /// The manifest is written for another version of the specification.
    UnknownSchemaVersion,
    /// A required field is missing or empty.
    MissingField,
    /// A field has a value of the wrong type.
    WrongType,
    /// The agent's version is not a semantic version.
    BadSemver,
    /// A tool's name does not have the required form.
    BadToolName,
    /// Two tools have the same name.
    DuplicateTool,
    /// A scope's id does not have the required form.
    BadScopeId,
    /// Two scopes have the same id.
    DuplicateScope,
    /// A scope's id begins with a prefix that only the platform may use.
    ReservedScope,
    /// A tool asks for a scope that the manifest does not declare.
    UnknownScope,
    /// A scope's sensitivity is none of low, medium and high.
    BadSensitivity,
    /// An input schema is not a usable Draft 2020-12 schema for an object.
    BadInputSchema,
    /// An input schema refers to something outside of itself.
    RemoteRef,
    /// An input schema could cost too much to compile or to use.
    SchemaTooComplex,
    /// A pattern cannot be matched in linear time and bounded memory.
    UnsafePattern,
    /// An input schema accepts fields that it does not declare.
    OpenInputSchema,
    /// A timeout is not a whole number of milliseconds within bounds.
    BadTimeout,
    /// A text holds characters that a person cannot see.
    HiddenCharacters,
    /// A scope that clients have no texts for brings none.
    MissingFallback,
    /// No tool uses a scope.
    UnusedScope,
    /// The canonical form is longer than 64 KB.
    ManifestLarge,
    /// The specification does not know a field.
    UnknownField,
}

impl Code {
    /// All codes, in the order of the contract.
    pub const ALL: [Self; 26] = [
        Self::NotJson,
        Self::DuplicateKey,
        Self::NotCanonicalizable,
        Self::ManifestTooLarge,
        Self::UnknownSchemaVersion,
        Self::MissingField,
        Self::WrongType,
        Self::BadSemver,
        Self::BadToolName,
        Self::DuplicateTool,
        Self::BadScopeId,
        Self::DuplicateScope,
        Self::ReservedScope,
        Self::UnknownScope,
        Self::BadSensitivity,
        Self::BadInputSchema,
        Self::RemoteRef,
        Self::SchemaTooComplex,
        Self::UnsafePattern,
        Self::OpenInputSchema,
        Self::BadTimeout,
        Self::HiddenCharacters,
        Self::MissingFallback,
        Self::UnusedScope,
        Self::ManifestLarge,
        Self::UnknownField,
    ];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "NOT_JSON",
            Self::DuplicateKey => "DUPLICATE_KEY",
            Self::NotCanonicalizable => "NOT_CANONICALIZABLE",
            Self::ManifestTooLarge => "MANIFEST_TOO_LARGE",
            Self::UnknownSchemaVersion => "UNKNOWN_SCHEMA_VERSION",
            Self::MissingField => "MISSING_FIELD",
            Self::WrongType => "WRONG_TYPE",
            Self::BadSemver => "BAD_SEMVER",
            Self::BadToolName => "BAD_TOOL_NAME",
            Self::DuplicateTool => "DUPLICATE_TOOL",
            Self::BadScopeId => "BAD_SCOPE_ID",
            Self::DuplicateScope => "DUPLICATE_SCOPE",
            Self::ReservedScope => "RESERVED_SCOPE",
            Self::UnknownScope => "UNKNOWN_SCOPE",
            Self::BadSensitivity => "BAD_SENSITIVITY",
            Self::BadInputSchema => "BAD_INPUT_SCHEMA",
            Self::RemoteRef => "REMOTE_REF",
            Self::SchemaTooComplex => "SCHEMA_TOO_COMPLEX",
            Self::UnsafePattern => "UNSAFE_PATTERN",
            Self::OpenInputSchema => "OPEN_INPUT_SCHEMA",
            Self::BadTimeout => "BAD_TIMEOUT",
            Self::HiddenCharacters => "HIDDEN_CHARACTERS",
            Self::MissingFallback => "MISSING_FALLBACK",
            Self::UnusedScope => "UNUSED_SCOPE",
            Self::ManifestLarge => "MANIFEST_LARGE",
            Self::UnknownField => "UNKNOWN_FIELD",
        }
    }

    /// The code for a schema that [`assent_schema::InputSchema::compile`] refuses.
    #[must_use]
    pub fn of_schema_problem(kind: assent_schema::SchemaProblemKind) -> Self {
        use assent_schema::SchemaProblemKind as Kind;
        match kind {
            Kind::Invalid => Self::BadInputSchema,
            Kind::RemoteRef => Self::RemoteRef,
            Kind::TooComplex => Self::SchemaTooComplex,
            Kind::UnsafePattern => Self::UnsafePattern,
        }
    }

    /// The code for a text that [`assent_json::read`] refuses.
    #[must_use]
    pub fn of_read_error(error: &assent_json::ReadError) -> Self {
        use assent_json::ReadErrorKind as Kind;
        match &error.kind {
            Kind::DuplicateKey(_) => Self::DuplicateKey,
            Kind::TooLarge => Self::ManifestTooLarge,
            kind if kind.is_about_meaning() => Self::NotCanonicalizable,
            _ => Self::NotJson,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
