//! The file that lists hooks.

mod command;
mod entry;
mod http;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use assent_document::{Fields, Format, Node, readers::list};
use assent_ids::{Clock, HookId};
use assent_runtime::Registration;

use crate::{Problems, Roots, effects::version};

use self::{entry::entry, http::Clients};

/// The longest file that is read.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest time that a hook can be given.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// The environment that hooks run in.
#[derive(Clone)]
pub struct HookEnvironment {
    /// The clock for the signatures of requests.
    pub clock: Arc<dyn Clock>,
    /// The certificate authorities that HTTP hooks trust.
    pub roots: Roots,
}

/// Reads a file that lists hooks, and returns their registrations in the order of the file.
///
/// The file only refers to secrets, which are looked up when a hook runs.
///
/// # Errors
/// Every problem of the file, with its line.
pub fn load(text: &[u8], environment: &HookEnvironment) -> Result<Vec<Registration>, Problems> {
    if text.len() > MAX_FILE_BYTES {
        let message = format!("the file is longer than {MAX_FILE_BYTES} bytes");
        return Err(Problems::of_document(message));
    }
    assent_document::read_confidential(text, Format::Json, |node| hooks(node, environment))
}

fn hooks(node: &Node<'_>, environment: &HookEnvironment) -> Option<Vec<Registration>> {
    let mut fields = Fields::of(node)?;
    fields.optional("version", version);
    let mut shared = Shared { environment, clients: Clients::default(), ids: BTreeSet::new() };
    fields.required("hooks", |node| list(node, |node| entry(node, &mut shared)))
}

/// State that the hooks of one file share.
struct Shared<'a> {
    environment: &'a HookEnvironment,
    clients: Clients,
    ids: BTreeSet<HookId>,
}
