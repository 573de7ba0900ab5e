//! The `call` and `tool` of an answer.

use super::{fields::Fields, names};
use crate::Recipient;

pub(super) fn recipient(fields: &mut Fields<'_, '_>) -> Recipient {
    Recipient {
        call: fields.optional("call", names::call),
        tool: fields.optional("tool", names::tools),
    }
}
