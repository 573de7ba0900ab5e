//! JSON as a tree.

use assent_json::{Kind, Node, Pointer};
use serde_json::Value;

use super::{
    budget::Budget,
    reading::Reading,
    tree::{Data, Member, Spanned},
};

pub(super) fn parse(text: &[u8], reading: &Reading<'_>) -> Option<Spanned> {
    let document = match assent_json::read(text) {
        Ok(document) => document,
        Err(error) => {
            reading.problem(error.offset, &error.pointer, error.kind.to_string());
            return None;
        }
    };
    let tree = convert(document.root(), &mut Budget::default());
    tree.map_err(|message| reading.problem(0, &Pointer::root(), message)).ok()
}

/// The reader has bounded the depth.
fn convert(node: Node<'_>, budget: &mut Budget) -> Result<Spanned, String> {
    let text = node.as_str().unwrap_or_default();
    budget.spend_value(text.len())?;
    let data = match node.kind() {
        Kind::Null => Data::Null,
        Kind::Boolean => Data::Bool(node.as_bool().unwrap_or_default()),
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
            Data::Map(members.collect::<Result<_, String>>()?)
        }
    };
    Ok(Spanned { offset: node.offset(), data })
}
