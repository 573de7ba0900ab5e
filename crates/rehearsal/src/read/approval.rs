//! `approvals`.

use assent_document::{
    Fields, Node,
    readers::{text, word},
};

use super::{
    context::Context,
    leaf::{millis, object},
    recipient::recipient,
};
use crate::{Answer, Approval, Remember, vocabulary::vocabulary};

vocabulary! {
    /// The words for answers.
    AnswerWord {
        Allow = "allow",
        Deny = "deny",
        Edit = "edit",
        Ignore = "ignore",
    }
}

pub(super) fn approval(node: &Node<'_>, context: &Context) -> Option<Approval> {
    let mut fields = Fields::of(node)?;
    let recipient = recipient(&mut fields, context);
    let chosen = fields.required("answer", word);
    let edit = if chosen == Some(AnswerWord::Edit) {
        fields.required("edit", object)
    } else {
        let edit = fields.optional("edit", object);
        if chosen.is_some() && edit.is_some() {
            node.problem("`edit` needs the answer `edit`");
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
