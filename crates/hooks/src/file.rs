//! The file that lists hooks.

mod command;
mod entry;
mod http;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use assent_ids::{Clock, HookId};
use assent_runtime::Registration;

use crate::{
    Problem, Problems, Roots,
    effects::version,
    read::{At, Fields, document, list},
};

use self::{entry::entry, http::Clients};

/// The longest file that is read.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest time that a hook can be given.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// What hooks need of the process around them.
#[derive(Clone)]
pub struct Surroundings {
    /// Dates the signatures of requests.
    pub clock: Arc<dyn Clock>,
    /// Whom HTTP hooks trust.
    pub roots: Roots,
}

/// Reads a file that lists hooks, and gives back their registrations in its order.
///
/// Secrets are only referred to, and are looked up when a hook runs: a file is right or wrong by itself.
///
/// # Errors
/// Everything that is wrong with it, each problem with its place.
pub fn load(text: &[u8], around: &Surroundings) -> Result<Vec<Registration>, Problems> {
    if text.len() > MAX_FILE_BYTES {
        let message = format!("the file is longer than {MAX_FILE_BYTES} bytes");
        let problem = Problem { path: String::new(), line: 1, column: 1, message };
        return Err(Problems::new(vec![problem]));
    }
    document(text, |at| hooks(at, around))
}

fn hooks(at: &At<'_>, around: &Surroundings) -> Option<Vec<Registration>> {
    let mut fields = Fields::of(at)?;
    fields.optional("version", version);
    let mut shared = Shared { around, clients: Clients::default(), ids: BTreeSet::new() };
    fields.required("hooks", |at| list(at, |at| entry(at, &mut shared)))
}

/// What the hooks of one file share.
struct Shared<'a> {
    around: &'a Surroundings,
    clients: Clients,
    ids: BTreeSet<HookId>,
}
