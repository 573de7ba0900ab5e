//! `actions`.

use super::{
    at::At,
    fields::Fields,
    leaf::{millis, word},
    names,
};
use crate::{Action, Deed, vocabulary::vocabulary};

vocabulary! {
    /// What can be done.
    DeedWord {
        Cancel = "cancel",
        Interrupt = "interrupt",
        Restart = "restart",
    }
}

pub(super) fn action(at: &At<'_>) -> Option<Action> {
    let mut fields = Fields::of(at)?;
    let when = fields.required("at_ms", millis);
    let deed = fields.required("do", word);
    let call = fields.optional("call", names::call);
    let has_call = fields.has("call");
    let deed = match deed? {
        DeedWord::Cancel => Deed::Cancel(call),
        DeedWord::Interrupt => Deed::Interrupt(call),
        DeedWord::Restart if has_call => {
            at.problem("a restart concerns the whole run: remove `call`");
            return None;
        }
        DeedWord::Restart => Deed::Restart,
    };
    Some(Action { at: when?, deed })
}
