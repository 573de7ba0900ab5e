//! `actions`.

use assent_document::{Fields, Node, readers::word};

use super::{context::Context, leaf::millis, names};
use crate::{Action, Deed, vocabulary::vocabulary};

vocabulary! {
    /// The words for actions.
    DeedWord {
        Cancel = "cancel",
        Interrupt = "interrupt",
        Restart = "restart",
    }
}

pub(super) fn action(node: &Node<'_>, context: &Context) -> Option<Action> {
    let mut fields = Fields::of(node)?;
    let when = fields.required("at_ms", millis);
    let deed = fields.required("do", word);
    let call = fields.optional("call", |node| names::call(node, context));
    let has_call = fields.has("call");
    let deed = match deed? {
        DeedWord::Cancel => Deed::Cancel(call),
        DeedWord::Interrupt => Deed::Interrupt(call),
        DeedWord::Restart if has_call => {
            node.problem("a restart concerns the whole run: remove `call`");
            return None;
        }
        DeedWord::Restart => Deed::Restart,
    };
    Some(Action { at: when?, deed })
}
