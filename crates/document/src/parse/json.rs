//! Parses JSON.

use assent_json::{Kind, Node, Pointer, ReadErrorKind};
use serde_json::Value;

use crate::{
    budget::Budget,
    report::Report,
    suggest::quoted,
    tree::{Data, Located, Member},
};

pub(crate) fn parse(text: &[u8], report: &Report<'_>) -> Option<Located> {
    let document = match assent_json::read(text) {
        Ok(document) => document,
        Err(error) => {
            report.problem(error.offset, &error.pointer, message(&error.kind));
            return None;
        }
    };
    let tree = convert(document.root(), &mut Budget::default());
    tree.map_err(|message| report.problem(0, &Pointer::root(), message)).ok()
}

fn message(kind: &ReadErrorKind) -> String {
    match kind {
        ReadErrorKind::DuplicateKey(key) => ReadErrorKind::DuplicateKey(quoted(key)).to_string(),
        other => other.to_string(),
    }
}

/// The depth of the recursion is bounded by [`assent_json::MAX_DEPTH`].
fn convert(node: Node<'_>, budget: &mut Budget) -> Result<Located, String> {
    let text = node.as_str().unwrap_or_default();
    budget.spend_value(text.len())?;
    let data = match node.kind() {
        Kind::Null => Data::Null,
        Kind::Boolean => Data::Boolean(node.as_bool().unwrap_or_default()),
        Kind::Number => match node.as_number().map(|number| number.to_value()) {
            Some(Value::Number(number)) => Data::Number(number),
            _ => Data::Null,
        },
        Kind::String => Data::Text(text.to_owned()),
        Kind::Array => {
            let items = node.elements().map(|element| convert(element, budget));
            Data::List(items.collect::<Result<_, _>>()?)
        }
        Kind::Object => {
            let members = node.members().with_key_nodes().map(|(key, value)| {
                let text = key.as_str().unwrap_or_default();
                budget.spend_value(text.len())?;
                let value = convert(value, budget)?;
                Ok(Member { key: text.to_owned(), key_offset: key.offset(), value })
            });
            Data::Object(members.collect::<Result<_, String>>()?)
        }
    };
    Ok(Located { offset: node.offset(), data })
}
