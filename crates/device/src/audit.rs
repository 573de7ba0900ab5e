//! The audit log: one entry for every call that was answered, chained and signed.

mod chain;
mod device_audit;
mod entry;
mod head_file;
mod log;
mod works;

#[cfg(test)]
pub(crate) use self::device_audit::verify;
pub use self::{
    chain::{AuditExport, AuditMark, AuditProblem, AuditProblemKind, AuditReport},
    entry::AuditEntry,
};
pub(crate) use self::{
    head_file::HeadFile,
    log::{Stamp, append, find, forget_before},
};
