//! The `call` and `tool` of an answer.

use assent_document::Fields;

use super::{context::Context, names};
use crate::Recipient;

pub(super) fn recipient(fields: &mut Fields<'_, '_>, context: &Context) -> Recipient {
    Recipient {
        call: fields.optional("call", |node| names::call(node, context)),
        tool: fields.optional("tool", |node| names::tools(node, context)),
    }
}
