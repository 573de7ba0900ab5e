//! What is wrong with a manifest, all of it at once.

use assent_ids::{ManifestHash, ScopeId};
use assent_json::{Document, Node};
use assent_manifest::{
    CheckOptions, Code, Finding, LARGE_MANIFEST_BYTES, MAX_MANIFEST_BYTES, Report, RuleSet,
    check_document,
};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::model::{ManifestFinding, ManifestText};
use serde_json::Value;

use crate::http::Refusal;

/// A manifest without faults.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The bytes that are hashed.
    pub(crate) canonical: String,
    pub(crate) hash: ManifestHash,
    /// What its author calls this version.
    pub(crate) agent_version: String,
    /// What it declares, in its order.
    pub(crate) scopes: Vec<ScopeId>,
    pub(crate) warnings: Vec<ManifestFinding>,
}

impl Checked {
    /// Whether its owner should know that it is large.
    pub(crate) fn is_large(&self) -> bool {
        self.canonical.len() >= LARGE_MANIFEST_BYTES
    }
}

/// Checks a submitted manifest. No submitted agent belongs to the platform.
pub(crate) fn check(manifest: &ManifestText, rules: RuleSet) -> Result<Checked, Refusal> {
    let unreadable = |why: String| refused(&[], &[], &why);
    let source = serde_json::to_vec(manifest).map_err(|error| unreadable(error.to_string()))?;
    let document = assent_json::read(&source).map_err(|error| unreadable(error.to_string()))?;
    let report = check_document(&document, CheckOptions { rules, platform_owned: false });
    if report.errors.iter().any(|finding| finding.code == Code::ManifestTooLarge) {
        return Err(too_large(report.size_bytes));
    }
    if !report.is_valid() {
        return Err(refused(&report.errors, &report.warnings, "the manifest breaks its rules"));
    }
    read(&document, &report).ok_or_else(|| unreadable("the manifest has no hash".to_owned()))
}

fn read(document: &Document<'_>, report: &Report) -> Option<Checked> {
    let text = |node: Node<'_>| node.as_str().map(str::to_owned);
    Some(Checked {
        canonical: String::from_utf8(document.canonical()).ok()?,
        hash: report.hash?.to_string().parse().ok()?,
        agent_version: document.root().get("agent_version").and_then(text)?,
        scopes: scopes(document)?,
        warnings: report.warnings.iter().map(finding).collect(),
    })
}

/// The scopes that a manifest declares, in its order.
pub(super) fn scopes(document: &Document<'_>) -> Option<Vec<ScopeId>> {
    let scopes = document.root().get("permission_scopes")?.elements();
    Some(scopes.filter_map(|scope| scope.get("id")?.as_str()?.parse().ok()).collect())
}

fn finding(finding: &Finding) -> ManifestFinding {
    ManifestFinding {
        code: finding.code.to_string(),
        path: finding.path.clone(),
        message: finding.message.clone(),
    }
}

fn refused(errors: &[Finding], warnings: &[Finding], why: &str) -> Refusal {
    let list = |findings: &[Finding]| serde_json::to_value(findings).unwrap_or(Value::Null);
    ApiError::new(ApiCode::InvalidManifest, why)
        .at("/capability_manifest")
        .with("errors", list(errors))
        .with("warnings", list(warnings))
        .into()
}

fn too_large(bytes: usize) -> Refusal {
    let text = format!(
        "the manifest has {bytes} bytes in canonical form, {MAX_MANIFEST_BYTES} are allowed"
    );
    ApiError::new(ApiCode::ManifestTooLarge, text)
        .at("/capability_manifest")
        .with("size_bytes", bytes)
        .with("limit", MAX_MANIFEST_BYTES)
        .into()
}
