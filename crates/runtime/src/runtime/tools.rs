//! Finding, loading and changing tools.

use std::sync::{Arc, PoisonError, RwLockReadGuard};

use assent_ids::ToolId;
use assent_journal::Noted;
use assent_protocol::agent_tool::ToolSearchResult;

use super::{Inner, Runtime};
use crate::{
    catalog::{Catalog, SELECT},
    surface::{Surface, SurfaceContext},
};

/// The default number of tools that a search finds.
const DEFAULT_MATCHES: usize = 10;

impl Runtime {
    /// Finds tools by words, or loads them by name with `select:NAME[,NAME]`.
    pub fn search(&self, query: &str, limit: Option<usize>) -> ToolSearchResult {
        // Locked from reading to replacing, so that no other change is lost in between.
        let changing = self.inner.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let surface = self.surface();
        let limit = limit.unwrap_or(DEFAULT_MATCHES);
        let result = self.inner.catalog().search(&surface, query, limit);
        let mut noted = vec![Noted::Search(result.clone())];
        let found: Vec<ToolId> =
            result.matches.iter().filter_map(|found| found.tool_id().strict().ok()).collect();
        if let Some(names) = query.trim_start().strip_prefix(SELECT) {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            let loading = surface.load(names, &self.inner.minter);
            noted.extend(loading.refs.into_iter().map(Noted::Deferred));
            if !loading.loaded.is_empty() {
                noted.push(Noted::Surface(loading.surface.record()));
                self.inner.put_surface(loading.surface);
            }
        } else {
            let refs = found.iter().filter_map(|tool| surface.deferred_ref(tool));
            noted.extend(refs.map(Noted::Deferred));
        }
        self.inner.note(noted);
        drop(changing);
        result
    }

    /// Changes the catalog, and makes a new surface from it.
    pub fn change_catalog<T>(&self, change: impl FnOnce(&mut Catalog) -> T) -> T {
        let (answer, before, after) = {
            let mut catalog =
                self.inner.ctx.catalog.write().unwrap_or_else(PoisonError::into_inner);
            let before = (catalog.generation(), Arc::clone(catalog.directory()));
            let answer = change(&mut catalog);
            (answer, before, (catalog.generation(), Arc::clone(catalog.directory())))
        };
        if after.0 != before.0 {
            self.inner.note(after.1.news(&before.1).flat_map(|tool| tool.records()));
            self.offer(|_| {});
        }
        answer
    }

    /// Changes the context of the surface (credentials, role, model, mode), and makes a new surface. Active
    /// calls keep the surface they were requested from.
    pub fn offer(&self, change: impl FnOnce(&mut SurfaceContext)) -> Arc<Surface> {
        let context = {
            let mut context =
                self.inner.surface_context.write().unwrap_or_else(PoisonError::into_inner);
            change(&mut context);
            context.clone()
        };
        let _changing = self.inner.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.surface();
        let next =
            Surface::build(&self.inner.catalog(), context, &self.inner.minter, Some(&before));
        self.inner.note(vec![Noted::Surface(next.record())]);
        self.inner.put_surface(next)
    }
}

impl Inner {
    pub(super) fn catalog(&self) -> RwLockReadGuard<'_, Catalog> {
        self.ctx.catalog.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_surface(&self, next: Surface) -> Arc<Surface> {
        let next = Arc::new(next);
        *self.surface.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&next);
        next
    }
}
