//! `surface`.

use super::{
    at::At,
    fields::Fields,
    leaf::{list, open_word, whole},
    names,
};
use crate::{Blocked, Surface};

pub(super) fn surface(at: &At<'_>) -> Option<Surface> {
    let mut fields = Fields::of(at)?;
    let budget = fields.optional("budget", |at| whole(at, 0..=u64::from(u32::MAX)));
    let blocked = fields.or_default("blocked", |at| list(at, blocked));
    Some(Surface { budget: budget.and_then(|budget| u32::try_from(budget).ok()), blocked })
}

fn blocked(at: &At<'_>) -> Option<Blocked> {
    let mut fields = Fields::of(at)?;
    let tool = fields.required("tool", names::tool);
    let reason = fields.required("reason", open_word);
    Some(Blocked { tool: tool?, reason: reason? })
}
