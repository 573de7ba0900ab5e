//! `http`.

use std::sync::Arc;

use assent_document::{
    Fields, Node,
    readers::{boolean, text},
};
use assent_runtime::Hook;

use super::{Shared, command::secret};
use crate::{HookUrl, HttpClient, HttpHook, HttpSpec, Roots, Terms};

/// The clients of one file, created when first needed: a file without HTTP hooks needs no certificates.
#[derive(Default)]
pub(super) struct Clients {
    encrypted: Option<HttpClient>,
    plain: Option<HttpClient>,
}

impl Clients {
    /// Returns the client for this URL, which all hooks with the same scheme share.
    fn to(&mut self, node: &Node<'_>, url: &HookUrl, roots: &Roots) -> Option<HttpClient> {
        let no_roots = Roots::Only(Vec::new());
        let (client, roots) = match url.is_encrypted() {
            true => (&mut self.encrypted, roots),
            false => (&mut self.plain, &no_roots),
        };
        if client.is_none() {
            *client = HttpClient::new(roots).map_err(|error| node.problem(error.to_string())).ok();
        }
        client.clone()
    }
}

pub(super) fn http(
    node: &Node<'_>,
    terms: Option<Terms>,
    shared: &mut Shared<'_>,
) -> Option<Arc<dyn Hook>> {
    let mut fields = Fields::of(node)?;
    let allow_loopback_http = fields.or_default("allow_loopback_http", boolean);
    let url = fields.required("url", |node| url(node, allow_loopback_http));
    let bearer = fields.optional("bearer", secret);
    let signing_secret = fields.optional("signing_secret", secret);
    let url = url?;
    let client = shared.clients.to(node, &url, &shared.environment.roots)?;
    let spec = HttpSpec { url, bearer, signing_secret };
    Some(Arc::new(HttpHook::new(terms?, spec, client, Arc::clone(&shared.environment.clock))))
}

fn url(node: &Node<'_>, allow_loopback_http: bool) -> Option<HookUrl> {
    HookUrl::parse(&text(node)?, allow_loopback_http)
        .map_err(|error| node.problem(error.to_string()))
        .ok()
}
