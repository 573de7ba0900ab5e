//! `inputs`.

use super::{
    at::At,
    fields::Fields,
    leaf::{any, millis},
    recipient::recipient,
};
use crate::InputAnswer;

pub(super) fn input_answer(at: &At<'_>) -> Option<InputAnswer> {
    let mut fields = Fields::of(at)?;
    let recipient = recipient(&mut fields);
    let answer = fields.required("answer", any);
    let after = fields.or_default("after_ms", millis);
    Some(InputAnswer { recipient, answer: answer?, after })
}
