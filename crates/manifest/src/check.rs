//! Checks a manifest: all problems at once, each with its place.

mod fields;
mod input_schema;
mod scopes;
mod texts;
mod tools;

use assent_json::{Digest, Document, Kind, Node, Pointer, ReadError};

use crate::{Code, RuleSet};

/// Longer manifests are refused. Measured on the canonical form.
pub const MAX_MANIFEST_BYTES: usize = 131_072;

/// From here on the author is warned.
pub const LARGE_MANIFEST_BYTES: usize = 65_536;

/// What to check against.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckOptions {
    /// Which rules hold.
    pub rules: RuleSet,
    /// True if the agent belongs to the platform itself, which may use reserved scopes.
    pub platform_owned: bool,
}

/// Something to say about a manifest.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Its stable name.
    pub code: Code,
    /// The place in the manifest, as a JSON Pointer.
    pub path: String,
    /// What is wrong and what to do, in a sentence.
    pub message: String,
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// SHA-256 of the canonical form, if there is one.
    pub hash: Option<Digest>,
    /// The length of the canonical form; of the text itself if it has none.
    pub size_bytes: usize,
    /// What makes the manifest unusable.
    pub errors: Vec<Finding>,
    /// What the author should know.
    pub warnings: Vec<Finding>,
}

impl Report {
    /// True if nothing makes the manifest unusable.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Checks the text of a manifest.
#[must_use]
pub fn check(source: &[u8], options: CheckOptions) -> Report {
    match assent_json::read(source) {
        Ok(document) => check_document(&document, options),
        Err(error) => unreadable(source, &error),
    }
}

/// Checks a manifest that was read already.
#[must_use]
pub fn check_document(document: &Document<'_>, options: CheckOptions) -> Report {
    let canonical = document.canonical();
    let mut findings = Findings { rules: options.rules, errors: Vec::new(), warnings: Vec::new() };
    check_size(canonical.len(), &mut findings);
    // A larger document is not a manifest: looking at it in detail would only cost time.
    if canonical.len() <= MAX_MANIFEST_BYTES {
        check_manifest(document.root(), options, &mut findings);
    }
    Report {
        hash: Some(Digest::of(&canonical)),
        size_bytes: canonical.len(),
        errors: findings.errors,
        warnings: findings.warnings,
    }
}

fn unreadable(source: &[u8], error: &ReadError) -> Report {
    let finding = Finding {
        code: Code::of_read_error(error),
        path: error.pointer.to_string(),
        message: error.to_string(),
    };
    Report { hash: None, size_bytes: source.len(), errors: vec![finding], warnings: Vec::new() }
}

fn check_size(bytes: usize, findings: &mut Findings) {
    let root = Pointer::root();
    if bytes > MAX_MANIFEST_BYTES {
        findings.error(
            Code::ManifestTooLarge,
            &root,
            format!("the manifest has {bytes} bytes in canonical form, {MAX_MANIFEST_BYTES} are allowed; use fewer tools, or `oneOf` inside one"),
        );
    } else if bytes >= LARGE_MANIFEST_BYTES {
        findings.warn(
            Code::ManifestLarge,
            &root,
            format!("the manifest has {bytes} bytes in canonical form and will be refused above {MAX_MANIFEST_BYTES}"),
        );
    }
}

fn check_manifest(root: Node<'_>, options: CheckOptions, findings: &mut Findings) {
    texts::check(root, findings);
    if root.kind() != Kind::Object {
        findings.wrong_type(&Pointer::root(), "an object", root);
        return;
    }
    let fields = fields::Fields::of(root, Pointer::root());
    fields.known(
        &["schema_version", "agent_version", "tools", "permission_scopes", "capability_flags"],
        findings,
    );
    check_versions(&fields, findings);
    let scopes = scopes::check(&fields, options, findings);
    tools::check(&fields, &scopes, findings);
    check_flags(&fields, findings);
}

fn check_versions(fields: &fields::Fields<'_>, findings: &mut Findings) {
    if let Some((version, path)) = fields.required_text("schema_version", findings)
        && version != "1.0"
    {
        let message = format!("`{version}` is not a version this checker knows; write `1.0`");
        findings.error(Code::UnknownSchemaVersion, &path, message);
    }
    if let Some((version, path)) = fields.required_text("agent_version", findings)
        && semver::Version::parse(version).is_err()
    {
        let message = format!("`{version}` is not a semantic version such as `1.0.0`");
        findings.error(Code::BadSemver, &path, message);
    }
}

fn check_flags(fields: &fields::Fields<'_>, findings: &mut Findings) {
    let Some((flags, path)) = fields.optional("capability_flags", Kind::Object, findings) else {
        return;
    };
    let flags = fields::Fields::of(flags, path);
    let known =
        ["supports_streaming", "supports_artifacts", "supports_voice", "supports_group_chat"];
    flags.known(&known, findings);
    for flag in known {
        flags.optional(flag, Kind::Boolean, findings);
    }
}

/// Collects what is found.
pub(crate) struct Findings {
    rules: RuleSet,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl Findings {
    pub(crate) fn error(&mut self, code: Code, path: &Pointer, message: impl Into<String>) {
        self.errors.push(Finding { code, path: path.to_string(), message: message.into() });
    }

    pub(crate) fn warn(&mut self, code: Code, path: &Pointer, message: impl Into<String>) {
        self.warnings.push(Finding { code, path: path.to_string(), message: message.into() });
    }

    /// A warning by the canonical rules, an error by the strict ones.
    pub(crate) fn error_if_strict(
        &mut self,
        code: Code,
        path: &Pointer,
        message: impl Into<String>,
    ) {
        match self.rules {
            RuleSet::Canonical => self.warn(code, path, message),
            RuleSet::Strict => self.error(code, path, message),
        }
    }

    pub(crate) fn wrong_type(&mut self, path: &Pointer, wanted: &str, found: Node<'_>) {
        let message = format!("must be {wanted}, not {}", with_article(found.kind()));
        self.error(Code::WrongType, path, message);
    }
}

pub(crate) fn with_article(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Boolean => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}
