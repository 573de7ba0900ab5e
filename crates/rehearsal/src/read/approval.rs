//! `approvals`.

use super::{
    at::At,
    fields::Fields,
    leaf::{millis, object, text, word},
    recipient::recipient,
};
use crate::{Answer, Approval, Remember, vocabulary::vocabulary};

vocabulary! {
    /// What a person can answer.
    AnswerWord {
        Allow = "allow",
        Deny = "deny",
        Edit = "edit",
        Ignore = "ignore",
    }
}

pub(super) fn approval(at: &At<'_>) -> Option<Approval> {
    let mut fields = Fields::of(at)?;
    let recipient = recipient(&mut fields);
    let chosen = fields.required("answer", word);
    let edit = if chosen == Some(AnswerWord::Edit) {
        fields.required("edit", object)
    } else {
        let edit = fields.optional("edit", object);
        if chosen.is_some() && edit.is_some() {
            at.problem("`edit` needs the answer `edit`");
        }
        None
    };
    let feedback = fields.optional("feedback", text);
    let after = fields.or_default("after_ms", millis);
    let remember = fields.optional("remember", word).unwrap_or(Remember::Once);
    let answer = match chosen? {
        AnswerWord::Allow => Answer::Allow,
        AnswerWord::Deny => Answer::Deny,
        AnswerWord::Edit => Answer::Edit(edit?),
        AnswerWord::Ignore => Answer::Ignore,
    };
    Some(Approval { recipient, answer, feedback, after, remember })
}
