//! Verifying the audit log.

use assent_json::canonicalize;
use assent_protocol::wire::Timestamp;
use assent_sealing::verify_signature;
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::entry::AuditEntry;

/// What the signature of a mark is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// The last entry.
    Head,
    /// The last of the entries that are not kept any more.
    Checkpoint,
}

impl MarkKind {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::Head => b"assent/v1/audit-head",
            Self::Checkpoint => b"assent/v1/audit-checkpoint",
        }
    }
}

/// A signed statement: the entry with this number has this hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditMark {
    /// The number of the entry.
    pub seq: u64,
    /// The hash of the entry.
    pub hash: String,
    /// When it was signed.
    pub at: Timestamp,
    /// The signature of the device, in base64.
    pub signature: String,
}

impl AuditMark {
    /// The bytes that are signed.
    pub(super) fn message(kind: MarkKind, seq: u64, hash: &str, at: &Timestamp) -> Vec<u8> {
        let text = json!({ "seq": seq, "hash": hash, "at": at }).to_string();
        // What has no canonical form is never signed as if it had one.
        let canonical = canonicalize(text.as_bytes()).unwrap_or_default();
        [kind.label(), &canonical].concat()
    }

    fn is_signed(&self, kind: MarkKind, key: &[u8; 32]) -> bool {
        let message = Self::message(kind, self.seq, &self.hash, &self.at);
        let signature = BASE64.decode(self.signature.as_bytes()).ok();
        let signature = signature.and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
        signature.is_some_and(|signature| verify_signature(key, &message, &signature))
    }

    /// Whether the mark is a head that this key has signed.
    pub(crate) fn is_head_of(&self, key: &[u8; 32]) -> bool {
        self.is_signed(MarkKind::Head, key)
    }
}

/// An audit log as a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditExport {
    /// The version of the format: 1.
    pub v: u64,
    /// The key that signs, in base64.
    pub signing_public_key: String,
    /// What stands for the entries that are not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<AuditMark>,
    /// The last entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<AuditMark>,
    /// The entries, oldest first.
    pub entries: Vec<Value>,
}

/// What verifying an audit log found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// How many entries there are.
    pub entries: usize,
    /// What is wrong: the first place, if there is one.
    pub problems: Vec<AuditProblem>,
}

/// Something that is wrong with an audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct AuditProblem {
    /// The number of the entry.
    pub seq: u64,
    /// What is wrong.
    pub kind: AuditProblemKind,
    /// The same in words.
    pub message: String,
}

/// What can be wrong with an audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum AuditProblemKind {
    /// An entry is not the one that was written.
    #[error("it is not what was written")]
    Edited,
    /// An entry is missing.
    #[error("it is missing")]
    Missing,
    /// An entry stands in another place than where it was written.
    #[error("it is not in its place")]
    OutOfOrder,
    /// The last entries are missing.
    #[error("it is missing, and so is everything after it")]
    Truncated,
    /// A head or a checkpoint is not signed by this device.
    #[error("the statement about it is not signed by this device")]
    NotSigned,
}

/// An audit log to verify.
pub(super) struct Chain<'a> {
    pub(super) checkpoint: Option<&'a AuditMark>,
    /// The entries, oldest first; one that cannot be read is its number.
    pub(super) entries: &'a [Result<AuditEntry, u64>],
    /// What was signed about the last entry.
    pub(super) heads: &'a [AuditMark],
    pub(super) key: &'a [u8; 32],
}

impl Chain<'_> {
    pub(super) fn verify(&self) -> AuditReport {
        let problems: Vec<AuditProblem> = self.check().err().into_iter().collect();
        AuditReport { ok: problems.is_empty(), entries: self.entries.len(), problems }
    }

    fn check(&self) -> Result<(), AuditProblem> {
        let mut last = match self.checkpoint {
            Some(checkpoint) if !checkpoint.is_signed(MarkKind::Checkpoint, self.key) => {
                return problem(checkpoint.seq, AuditProblemKind::NotSigned);
            }
            Some(checkpoint) => (checkpoint.seq, Some(checkpoint.hash.clone())),
            None => (0, None),
        };
        let mut known = vec![last.clone()];
        for entry in self.entries {
            last = self.follow(&last, entry)?;
            known.push(last.clone());
        }
        self.heads.iter().try_for_each(|head| self.check_head(head, &known))
    }

    /// Checks that an entry follows the one before, and returns its number and hash.
    fn follow(
        &self,
        (last, hash): &(u64, Option<String>),
        entry: &Result<AuditEntry, u64>,
    ) -> Result<(u64, Option<String>), AuditProblem> {
        let expected = last.saturating_add(1);
        let entry = match entry {
            Ok(entry) => entry,
            Err(seq) => return problem(*seq, AuditProblemKind::Edited),
        };
        if entry.seq != expected {
            let is_elsewhere = self.entries.iter().flatten().any(|other| other.seq == expected);
            return match is_elsewhere || entry.seq < expected {
                true => problem(entry.seq, AuditProblemKind::OutOfOrder),
                false => problem(expected, AuditProblemKind::Missing),
            };
        }
        if entry.prev != *hash {
            // What does not fit may be either of the two; the earlier one is the place to look at.
            return problem(expected.saturating_sub(1).max(1), AuditProblemKind::Edited);
        }
        let hash = entry.hash().ok();
        if hash.is_none() {
            return problem(entry.seq, AuditProblemKind::Edited);
        }
        Ok((entry.seq, hash))
    }

    fn check_head(
        &self,
        head: &AuditMark,
        known: &[(u64, Option<String>)],
    ) -> Result<(), AuditProblem> {
        if !head.is_head_of(self.key) {
            return problem(head.seq, AuditProblemKind::NotSigned);
        }
        let (first, last) = (known.first(), known.last().map_or(0, |(seq, _)| *seq));
        if head.seq > last {
            return problem(last.saturating_add(1), AuditProblemKind::Truncated);
        }
        // A head from before the checkpoint says nothing about what is left.
        let is_forgotten = first.is_some_and(|(seq, _)| head.seq < *seq);
        let is_same = |(seq, hash): &(u64, Option<String>)| {
            *seq == head.seq && hash.as_ref() == Some(&head.hash)
        };
        if is_forgotten || known.iter().any(is_same) {
            return Ok(());
        }
        problem(head.seq, AuditProblemKind::Edited)
    }
}

fn problem<T>(seq: u64, kind: AuditProblemKind) -> Result<T, AuditProblem> {
    Err(AuditProblem { seq, kind, message: format!("entry {seq}: {kind}") })
}
