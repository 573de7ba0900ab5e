//! `calls`.

use std::num::NonZeroU32;

use assent_ids::CallId;

use super::{
    at::At,
    fields::Fields,
    leaf::{any, id, object, positive, some_text, text},
    names::{self, Kind, Place},
};
use crate::Call;

pub(super) fn call(at: &At<'_>) -> Option<Call> {
    let mut fields = Fields::of(at)?;
    let id = fields.required("id", own_id);
    let tool = fields.required("tool", text);
    let input = fields.required("input", any);
    let batch = fields.optional("batch", positive).unwrap_or(NonZeroU32::MIN);
    let depends_on = fields.or_default("depends_on", |at| depends_on(at, id.as_ref()));
    let native = fields.optional("native", object);
    let actor = fields.optional("actor", some_text);
    let id = id?;
    at.reading.names.borrow_mut().dependencies.runs_in(&id, batch.get());
    Some(Call { id, tool: tool?, input: input?, batch, depends_on, native, actor })
}

fn own_id(at: &At<'_>) -> Option<CallId> {
    let call: CallId = id(at)?;
    names::give(at, Kind::Call, call.as_str());
    Some(call)
}

fn depends_on(at: &At<'_>, own: Option<&CallId>) -> Option<Vec<CallId>> {
    let mut calls = Vec::new();
    for item in at.items()? {
        let Some(call) = names::call(&item) else { continue };
        if calls.contains(&call) {
            item.problem(format!("`{call}` is named twice"));
            continue;
        }
        if let Some(own) = own {
            let mut names = at.reading.names.borrow_mut();
            names.dependencies.waits(own, &call, Place::of(&item));
        }
        calls.push(call);
    }
    Some(calls)
}
