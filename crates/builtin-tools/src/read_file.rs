//! `read_file`: reads a regular file beneath a folder that the owner chose.

mod open;
mod roots;

use std::{
    fs::File,
    os::unix::fs::FileExt,
    sync::{Arc, PoisonError, RwLock},
};

use assent_json::{Json, visible};
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Body, Call, Execution, Executor, Failure, Output, Refusal};
use serde::Deserialize;
use serde_json::json;

pub use self::roots::{RootError, Roots};
use self::{
    open::{Identity, Problem},
    roots::Located,
};
use crate::{
    BuiltinTool, Target, TargetKind,
    arguments::{self, failure, invalid, not_set_up, outside},
    content::{Content, Encoding, MAX_READ},
};

/// The longest path, in bytes.
const MAX_PATH: usize = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    #[serde(default)]
    encoding: Encoding,
    #[serde(default)]
    offset: u64,
    length: Option<usize>,
}

/// The tool `read_file`.
///
/// It follows no links and crosses no mount points below a root, reads only regular files with exactly one
/// name, and nothing of the device's own data. If a person approved the call, it reads only the file that was
/// there when they were asked.
pub struct ReadFile {
    roots: RwLock<Arc<Roots>>,
}

impl ReadFile {
    /// Creates the tool.
    #[must_use]
    pub fn new(roots: Roots) -> Self {
        Self { roots: RwLock::new(Arc::new(roots)) }
    }

    /// Replaces the roots. Calls that are already reading are not affected.
    pub fn set_roots(&self, roots: Roots) {
        *self.roots.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(roots);
    }

    fn roots(&self) -> Arc<Roots> {
        Arc::clone(&self.roots.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Executor for ReadFile {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        let roots = self.roots();
        let (input, approved) = (call.input.clone(), call.environment.clone());
        Box::pin(async move {
            // If the call is dropped, the thread ends after at most 512 KiB.
            let reading =
                tokio::task::spawn_blocking(move || read(&roots, &input, approved.as_ref()));
            let result = reading.await.map_err(|_| failed("the file could not be read"))??;
            Ok(Output { body: Body::Structured(result), ..Output::default() })
        })
    }

    fn environment(&self, input: &Json) -> Option<Json> {
        let roots = self.roots();
        let arguments: Arguments = arguments::read(input).ok()?;
        let located = locate(&roots, &arguments).ok()?;
        let identity = located.identify().ok();
        environment(&located, identity.as_ref())
    }

    /// Refuses what no person can allow. Whether the file exists is not said before a person was asked.
    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        let roots = self.roots();
        let arguments = arguments::read(input)?;
        let located = locate(&roots, &arguments)?;
        match located.identify() {
            Err(problem @ (Problem::Link | Problem::Data)) => Err(outside(problem.to_string())),
            Err(problem @ Problem::RootMissing) => Err(not_set_up(problem.to_string())),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

impl BuiltinTool for ReadFile {
    /// The absolute path of the file.
    fn target(&self, input: &Json) -> Option<Target> {
        let roots = self.roots();
        let located = locate(&roots, &arguments::read(input).ok()?).ok()?;
        Some(Target { kind: TargetKind::File, text: visible(&located.path()) })
    }

    /// The path of the root.
    fn place(&self, input: &Json) -> Option<String> {
        let roots = self.roots();
        let located = locate(&roots, &arguments::read(input).ok()?).ok()?;
        Some(located.root_path().to_owned())
    }
}

fn locate<'r>(roots: &'r Roots, arguments: &Arguments) -> Result<Located<'r>, Refusal> {
    if arguments.length.is_some_and(|length| length > MAX_READ) {
        return Err(invalid(format!("`length` is more than {MAX_READ}")));
    }
    if arguments.path.len() > MAX_PATH {
        return Err(invalid(format!("`path` is longer than {MAX_PATH} bytes")));
    }
    roots.locate(&arguments.path)
}

/// What a call touches: the path, and the file that is there.
fn environment(located: &Located<'_>, identity: Option<&Identity>) -> Option<Json> {
    let file = identity.map(ToString::to_string);
    Json::from_value(&json!({"path": located.path(), "file": file})).ok()
}

fn read(roots: &Roots, input: &Json, approved: Option<&Json>) -> Result<Json, Failure> {
    let arguments: Arguments = arguments::read(input).map_err(failure)?;
    let located = locate(roots, &arguments).map_err(failure)?;
    let opened = located.open().map_err(explained)?;
    if let Some(approved) = approved {
        let found = environment(&located, Some(&opened.identity));
        if found.as_ref() != Some(approved) {
            let message = "the file is not the one that was approved: ask again";
            let mismatch = Failure::new(ErrorClass::PolicyBlocked, message);
            return Err(Failure { code: Some("approval_mismatch".to_owned()), ..mismatch });
        }
    }
    let wanted = arguments.length.unwrap_or(MAX_READ);
    let bytes = bytes(&opened.file, arguments.offset, wanted)
        .map_err(|_| failed("the file could not be read"))?;
    let end = arguments.offset.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let more = bytes.len() == wanted && end < opened.size;
    let content = Content::write(&bytes, arguments.encoding, more);
    Json::from_value(&json!({
        "content": content.text,
        "encoding": content.encoding,
        "size": opened.size,
        "truncated": content.truncated,
    }))
    .map_err(|_| failed("the file could not be written as JSON"))
}

/// Reads until enough bytes are there or the file ends.
fn bytes(file: &File, offset: u64, wanted: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; wanted];
    let (mut rest, mut at) = (bytes.as_mut_slice(), offset);
    while !rest.is_empty() {
        match file.read_at(rest, at) {
            Ok(0) => break,
            Ok(count) => {
                rest = rest.get_mut(count..).unwrap_or_default();
                at = at.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let unread = rest.len();
    bytes.truncate(wanted.saturating_sub(unread));
    Ok(bytes)
}

fn explained(problem: Problem) -> Failure {
    let message = problem.to_string();
    match problem {
        Problem::Missing => {
            let missing = failed(message);
            Failure { code: Some("not_found".to_owned()), ..missing }
        }
        Problem::Link | Problem::Data | Problem::NotAFile => failure(outside(message)),
        Problem::RootMissing => failure(not_set_up(message)),
        Problem::Changing | Problem::Unreadable => failed(message),
    }
}

fn failed(message: impl Into<String>) -> Failure {
    Failure::new(ErrorClass::ExecutionFailed, message)
}

#[cfg(test)]
mod tests;
