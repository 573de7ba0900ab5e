//! The part of an input that a classifier gets: `input`, `input.command`, `/command`, or a fixed value.

use assent_json::{Json, Kind, Node, Pointer};
use serde_json::Value;

/// The part of an input that a classifier gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClassifierInput {
    /// The value at this path; the empty path is the whole input.
    Part(Box<[String]>),
    /// A fixed value.
    Fixed(Value),
}

impl ClassifierInput {
    /// Reads `classifier_input`. Without it classifiers get the empty text.
    pub(super) fn of(stated: Option<&Value>) -> Self {
        let text = match stated {
            None => return Self::Fixed(Value::String(String::new())),
            Some(Value::String(text)) => text,
            Some(other) => return Self::Fixed(other.clone()),
        };
        if text == "input" {
            return Self::Part(Box::default());
        }
        if let Some(path) = text.strip_prefix("input.") {
            return Self::Part(path.split('.').map(str::to_owned).collect());
        }
        if text.starts_with('/') {
            return Self::Part(Pointer::tokens(text).collect());
        }
        Self::Fixed(Value::String(text.clone()))
    }

    /// The value for the classifier; `None` if the input does not have it.
    pub(super) fn of_input(&self, input: &Json) -> Option<Value> {
        match self {
            Self::Fixed(value) => Some(value.clone()),
            Self::Part(path) => {
                let node = path.iter().try_fold(input.root(), |node, step| child(node, step))?;
                Some(node.to_value())
            }
        }
    }
}

/// The member or element at one step of a path.
pub(super) fn child<'d>(node: Node<'d>, step: &str) -> Option<Node<'d>> {
    match node.kind() {
        Kind::Object => node.get(step),
        Kind::Array => step.parse().ok().and_then(|index| node.elements().nth(index)),
        Kind::Null | Kind::Boolean | Kind::Number | Kind::String => None,
    }
}

#[cfg(test)]
mod tests {
    use assent_json::Json;
    use serde_json::{Value, json};

    use super::ClassifierInput;

    fn look(stated: &Value) -> Option<Value> {
        let input = Json::read(r#"{"command": "ls", "args": [{"a.b": 1}]}"#).unwrap();
        ClassifierInput::of(Some(stated)).of_input(&input)
    }

    #[test]
    fn a_part_is_named_by_a_path_or_a_pointer() {
        assert_eq!(look(&json!("input.command")), Some(json!("ls")));
        assert_eq!(look(&json!("/args/0/a.b")), Some(json!(1)));
        assert_eq!(look(&json!("input.args.0")), Some(json!({"a.b": 1})));
        assert_eq!(look(&json!("input")), Some(json!({"command": "ls", "args": [{"a.b": 1}]})));
    }

    #[test]
    fn a_part_that_is_not_there_is_not_made_up() {
        for path in
            ["input.missing", "/command/0", "/args/1", "/args/-1", "input.", "input.args.0.a"]
        {
            assert_eq!(look(&json!(path)), None, "{path}");
        }
    }

    #[test]
    fn anything_else_is_taken_as_it_is() {
        assert_eq!(look(&json!("rm")), Some(json!("rm")));
        assert_eq!(look(&json!({"kind": "shell"})), Some(json!({"kind": "shell"})));
    }

    /// Item 25: missing `classifier_input` is the empty text.
    #[test]
    fn without_a_statement_a_classifier_sees_the_empty_text() {
        let input = Json::read(r#"{"command": "ls"}"#).unwrap();
        assert_eq!(ClassifierInput::of(None).of_input(&input), Some(json!("")));
    }
}
