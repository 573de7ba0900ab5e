//! `calls`.

use std::num::NonZeroU32;

use assent_document::{
    Fields, Node,
    readers::{any, parsed, some_text, text},
};
use assent_ids::CallId;

use super::{
    context::Context,
    leaf::{object, positive},
    names::{self, NameKind},
};
use crate::Call;

pub(super) fn call(node: &Node<'_>, context: &Context) -> Option<Call> {
    let mut fields = Fields::of(node)?;
    let id = fields.required("id", |node| own_id(node, context));
    let tool = fields.required("tool", text);
    let input = fields.required("input", any);
    let batch = fields.optional("batch", positive).unwrap_or(NonZeroU32::MIN);
    let depends_on = fields.or_default("depends_on", |node| depends_on(node, context, id.as_ref()));
    let native = fields.optional("native", object);
    let actor = fields.optional("actor", some_text);
    let id = id?;
    context.names.borrow_mut().dependencies.runs_in(&id, batch.get());
    Some(Call { id, tool: tool?, input: input?, batch, depends_on, native, actor })
}

fn own_id(node: &Node<'_>, context: &Context) -> Option<CallId> {
    let call: CallId = parsed(node)?;
    names::declare(node, context, NameKind::Call, call.as_str());
    Some(call)
}

fn depends_on(node: &Node<'_>, context: &Context, own: Option<&CallId>) -> Option<Vec<CallId>> {
    let mut calls = Vec::new();
    for item in node.items()? {
        let Some(call) = names::call(&item, context) else { continue };
        if calls.contains(&call) {
            item.problem(format!("`{call}` is named twice"));
            continue;
        }
        if let Some(own) = own {
            let mut names = context.names.borrow_mut();
            names.dependencies.waits(own, &call, item.location());
        }
        calls.push(call);
    }
    Some(calls)
}
