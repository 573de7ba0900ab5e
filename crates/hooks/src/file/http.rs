//! `http`.

use std::sync::Arc;

use assent_runtime::Hook;

use super::{Shared, command::secret};
use crate::{
    HookUrl, HttpClient, HttpHook, HttpSpec, Roots, Terms,
    read::{At, Fields, boolean, text},
};

/// The clients of one file, made when first needed: a file with commands only needs no certificates.
#[derive(Default)]
pub(super) struct Clients {
    encrypted: Option<HttpClient>,
    plain: Option<HttpClient>,
}

impl Clients {
    /// The client for this URL, shared by all hooks that speak like this.
    fn to(&mut self, at: &At<'_>, url: &HookUrl, roots: &Roots) -> Option<HttpClient> {
        let nobody = Roots::Only(Vec::new());
        let (client, roots) = match url.is_encrypted() {
            true => (&mut self.encrypted, roots),
            false => (&mut self.plain, &nobody),
        };
        if client.is_none() {
            *client = HttpClient::new(roots).map_err(|error| at.problem(error.to_string())).ok();
        }
        client.clone()
    }
}

pub(super) fn http(
    at: &At<'_>,
    terms: Option<Terms>,
    shared: &mut Shared<'_>,
) -> Option<Arc<dyn Hook>> {
    let mut fields = Fields::of(at)?;
    let allow_loopback_http = fields.or_default("allow_loopback_http", boolean);
    let url = fields.required("url", |at| url(at, allow_loopback_http));
    let bearer = fields.optional("bearer", secret);
    let signing_secret = fields.optional("signing_secret", secret);
    let url = url?;
    let client = shared.clients.to(at, &url, &shared.around.roots)?;
    let spec = HttpSpec { url, bearer, signing_secret };
    Some(Arc::new(HttpHook::new(terms?, spec, client, Arc::clone(&shared.around.clock))))
}

fn url(at: &At<'_>, allow_loopback_http: bool) -> Option<HookUrl> {
    HookUrl::parse(&text(at)?, allow_loopback_http)
        .map_err(|error| at.problem(error.to_string()))
        .ok()
}
