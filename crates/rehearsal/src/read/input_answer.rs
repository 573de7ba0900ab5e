//! `inputs`.

use assent_document::{Fields, Node, readers::any};

use super::{context::Context, leaf::millis, recipient::recipient};
use crate::InputAnswer;

pub(super) fn input_answer(node: &Node<'_>, context: &Context) -> Option<InputAnswer> {
    let mut fields = Fields::of(node)?;
    let recipient = recipient(&mut fields, context);
    let answer = fields.required("answer", any);
    let after = fields.or_default("after_ms", millis);
    Some(InputAnswer { recipient, answer: answer?, after })
}
