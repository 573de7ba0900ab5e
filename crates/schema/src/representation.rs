//! Lets the validator look at a document's tape directly, so that checking arguments builds no
//! tree of values.

use std::borrow::Cow;

use assent_json::{Elements, Kind, Members, Node as TapeNode, Number};
use jsonschema::{
    JsonType,
    json::{Array, Json, JsonNumber, Node, NodeIdentity, Object},
};
use jsonschema_value::LazyInstance;
use serde_json::Value;

/// The representation of JSON by the tape of `assent-json`.
#[derive(Debug)]
pub(crate) struct OnTape;

/// A value of a document, or the name of a member, which `propertyNames` looks at as a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Instance<'a> {
    Value(TapeNode<'a>),
    Name(&'a str),
}

impl Json for OnTape {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // A look-up compares names one by one in a small object, so one pass over the members is never
    // much worse than a few of them.
    const KEYS_PER_LOOKUP: usize = 2;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Name(string))
    }
}

impl<'a> Instance<'a> {
    /// The object, if it is one.
    pub(crate) fn object(self) -> Option<TapeNode<'a>> {
        self.of_kind(Kind::Object)
    }

    /// The array, if it is one.
    pub(crate) fn array(self) -> Option<TapeNode<'a>> {
        self.of_kind(Kind::Array)
    }

    /// The text, if it is a string or a name.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Value(node) => node.as_str(),
            Self::Name(name) => Some(name),
        }
    }

    /// The number, if it is one.
    pub(crate) fn number(self) -> Option<Number<'a>> {
        self.node()?.as_number()
    }

    fn node(&self) -> Option<TapeNode<'a>> {
        match self {
            Self::Value(node) => Some(*node),
            Self::Name(_) => None,
        }
    }

    fn of_kind(&self, kind: Kind) -> Option<TapeNode<'a>> {
        self.node().filter(|node| node.kind() == kind)
    }
}

impl<'a> Node<'a, OnTape> for Instance<'a> {
    type Object = ObjectOnTape<'a>;
    type Array = ArrayOnTape<'a>;
    type Number = NumberOnTape<'a>;

    fn as_object(&self) -> Option<ObjectOnTape<'a>> {
        self.object().map(ObjectOnTape)
    }

    fn as_array(&self) -> Option<ArrayOnTape<'a>> {
        self.array().map(ArrayOnTape)
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.text().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<NumberOnTape<'a>> {
        self.number().map(NumberOnTape)
    }

    fn as_boolean(&self) -> Option<bool> {
        self.node()?.as_bool()
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn is_number(&self) -> bool {
        self.json_type() == JsonType::Number
    }

    fn json_type(&self) -> JsonType {
        match self {
            Self::Name(_) => JsonType::String,
            Self::Value(node) => match node.kind() {
                Kind::Null => JsonType::Null,
                Kind::Boolean => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String => JsonType::String,
                Kind::Array => JsonType::Array,
                Kind::Object => JsonType::Object,
            },
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self, expected) {
            // Most constants and enumerations are strings: no copy for them.
            (Self::Name(name), Value::String(text)) => name == text,
            (Self::Value(node), Value::String(text)) => node.as_str() == Some(text),
            _ => jsonschema::json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self {
            Self::Value(node) => node.to_value(),
            Self::Name(name) => Value::from(*name),
        })
    }

    fn lazy_value(&self) -> LazyInstance<'a> {
        // Our messages never show the value, so no error gets a copy of it. Alternatives collect
        // the errors of each branch, and each would take one.
        const NOT_SHOWN: &Value = &Value::Null;
        LazyInstance::Ready(Cow::Borrowed(NOT_SHOWN))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        match self {
            Self::Value(node) => {
                Some(NodeIdentity::tagged(node.source().as_ptr().addr(), node.index()))
            }
            // A name has no place of its own; nothing refers from one name to another.
            Self::Name(_) => None,
        }
    }
}

/// An object on the tape.
pub(crate) struct ObjectOnTape<'a>(TapeNode<'a>);

impl<'a> Object<'a, OnTape> for ObjectOnTape<'a> {
    type Node = Instance<'a>;
    type MemberName = &'a str;
    type MembersIter =
        std::iter::Map<Members<'a>, fn((&'a str, TapeNode<'a>)) -> (&'a str, Instance<'a>)>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        self.0.get(key).map(Instance::Value)
    }

    fn members(&self) -> Self::MembersIter {
        self.0.members().map(|(name, value)| (name, Instance::Value(value)))
    }
}

/// An array on the tape.
pub(crate) struct ArrayOnTape<'a>(TapeNode<'a>);

impl<'a> Array<'a, OnTape> for ArrayOnTape<'a> {
    type Node = Instance<'a>;
    type ElementsIter = std::iter::Map<Elements<'a>, fn(TapeNode<'a>) -> Instance<'a>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Self::ElementsIter {
        self.0.elements().map(Instance::Value)
    }
}

/// A number on the tape.
pub(crate) struct NumberOnTape<'a>(Number<'a>);

impl JsonNumber for NumberOnTape<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        Some(self.0.as_f64())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.as_str())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let Value::Number(number) = self.0.to_value() else { return Cow::Owned(0.into()) };
        Cow::Owned(number)
    }

    fn is_integer(&self) -> bool {
        self.0.is_integer()
    }
}
