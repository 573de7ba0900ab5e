//! `surface`.

use assent_document::{
    Fields, Node,
    readers::{list, whole},
};

use super::{context::Context, leaf::open_word, names};
use crate::{Blocked, Surface};

pub(super) fn surface(node: &Node<'_>, context: &Context) -> Option<Surface> {
    let mut fields = Fields::of(node)?;
    let budget = fields.optional("budget", |node| whole(node, 0..=u64::from(u32::MAX)));
    let blocked = fields.or_default("blocked", |node| list(node, |node| blocked(node, context)));
    Some(Surface { budget: budget.and_then(|budget| u32::try_from(budget).ok()), blocked })
}

fn blocked(node: &Node<'_>, context: &Context) -> Option<Blocked> {
    let mut fields = Fields::of(node)?;
    let tool = fields.required("tool", |node| names::tool(node, context));
    let reason = fields.required("reason", open_word);
    Some(Blocked { tool: tool?, reason: reason? })
}
