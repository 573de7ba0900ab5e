//! Reads values from strict JSON, with the way to every fault.

use assent_json::{Elements, Kind, Members, Node};
use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
        VariantAccess, Visitor, value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};

use super::{MAX_INTEGER, fault::Fault};

/// A value that is about to be read.
#[derive(Clone, Copy)]
pub(super) struct NodeReader<'d>(Node<'d>);

impl<'d> NodeReader<'d> {
    pub(super) fn new(node: Node<'d>) -> Self {
        Self(node)
    }

    fn text(self) -> &'d str {
        self.0.as_str().unwrap_or_default()
    }
}

impl<'de> Deserializer<'de> for NodeReader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Boolean => visitor.visit_bool(self.0.as_bool().unwrap_or_default()),
            Kind::Number => visit_number(self.0, visitor),
            Kind::String => visitor.visit_borrowed_str(self.text()),
            Kind::Array => visitor.visit_seq(Entries { elements: self.0.elements(), index: 0 }),
            Kind::Object => visitor.visit_map(Fields { members: self.0.members(), next: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.kind() {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    /// A struct is an object: the array of its fields, which serde would take as well, is not.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.kind() {
            Kind::Array => Err(de::Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.kind() {
            Kind::String => visitor.visit_enum(Choice { name: self.text(), value: None }),
            Kind::Object => {
                let mut members = self.0.members();
                match (members.next(), members.next()) {
                    (Some((name, value)), None) => {
                        visitor.visit_enum(Choice { name, value: Some(value) })
                    }
                    _ => Err(de::Error::invalid_length(self.0.len(), &"an object with one field")),
                }
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier
    }
}

fn visit_number<'d, V: Visitor<'d>>(node: Node<'d>, visitor: V) -> Result<V::Value, Fault> {
    let Some(number) = node.as_number() else { return visitor.visit_unit() };
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) if number <= MAX_INTEGER => visitor.visit_u64(number),
        (None, Some(number)) if number.unsigned_abs() <= MAX_INTEGER => visitor.visit_i64(number),
        _ => visitor.visit_f64(number.as_f64()),
    }
}

struct Entries<'d> {
    elements: Elements<'d>,
    index: usize,
}

impl<'d> SeqAccess<'d> for Entries<'d> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        let read = seed.deserialize(NodeReader(element));
        read.map(Some).map_err(|fault| fault.inside(&index.to_string()))
    }
}

struct Fields<'d> {
    members: Members<'d>,
    next: Option<(&'d str, Node<'d>)>,
}

impl<'d> MapAccess<'d> for Fields<'d> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.next = self.members.next();
        let Some((name, _)) = self.next else { return Ok(None) };
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'d>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((name, value)) = self.next.take() else {
            return Err(de::Error::custom("a value was asked for before its name"));
        };
        seed.deserialize(NodeReader(value)).map_err(|fault| fault.inside(name))
    }
}

struct Choice<'d> {
    name: &'d str,
    value: Option<Node<'d>>,
}

impl<'d> EnumAccess<'d> for Choice<'d> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'d>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let name: BorrowedStrDeserializer<'d, Fault> = BorrowedStrDeserializer::new(self.name);
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'d> VariantAccess<'d> for Choice<'d> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(de::Error::invalid_type(Unexpected::Map, &"a string")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, Fault> {
        match self.value {
            Some(value) => {
                seed.deserialize(NodeReader(value)).map_err(|fault| fault.inside(self.name))
            }
            None => seed.deserialize(().into_deserializer()),
        }
    }

    fn tuple_variant<V: Visitor<'d>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.struct_variant(&[], visitor)
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            Some(value) => {
                let read = NodeReader(value).deserialize_any(visitor);
                read.map_err(|fault| fault.inside(self.name))
            }
            None => Err(de::Error::invalid_type(Unexpected::Str(""), &"an object")),
        }
    }
}
