//! `assent admin backup FILE`

use std::path::Path;

use assent_relay_api::operations::admin::{BackUp, BackupReport, BackupRequest};

use super::Operator;
use crate::{
    exit::Exit,
    output::{self, visible},
};

pub(super) fn run(operator: &Operator, file: &Path) -> Exit {
    // The server may have been started elsewhere.
    let path = std::path::absolute(file).ok();
    let path = path.as_deref().and_then(Path::to_str).and_then(|path| path.parse().ok());
    let Some(path) = path else {
        return output::misused("this is not a name that a file can have", operator.as_json);
    };
    let body = BackupRequest { path };
    operator.tell(operator.client.call::<BackUp>(&(), &(), &body), |report: &BackupReport| {
        let BackupReport { path, size_bytes, sha256, .. } = report;
        format!("{}: {size_bytes} bytes, SHA-256 {sha256}\n", visible(path.as_str()))
    })
}
