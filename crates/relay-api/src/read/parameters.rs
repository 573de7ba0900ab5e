//! Reads parameters of paths and queries: every value is a text, and its type says what it should be.

use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, IntoDeserializer, MapAccess, Unexpected, Visitor,
        value::StringDeserializer,
    },
    forward_to_deserialize_any,
};

use super::{MAX_INTEGER, fault::Fault};

/// Parameters that are about to be read.
pub(super) struct ParametersReader(std::vec::IntoIter<(String, String)>);

impl ParametersReader {
    pub(super) fn new(pairs: Vec<(String, String)>) -> Self {
        Self(pairs.into_iter())
    }
}

impl<'de> Deserializer<'de> for ParametersReader {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_map(Pairs { pairs: self.0, next: None })
    }

    /// An operation without parameters does not look at any.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Pairs {
    pairs: std::vec::IntoIter<(String, String)>,
    next: Option<(String, String)>,
}

impl<'de> MapAccess<'de> for Pairs {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.next = self.pairs.next();
        let Some((name, _)) = &self.next else { return Ok(None) };
        let name: StringDeserializer<Fault> = name.clone().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((name, value)) = self.next.take() else {
            return Err(de::Error::custom("a value was asked for before its name"));
        };
        seed.deserialize(TextReader(value)).map_err(|fault| fault.inside(&name))
    }
}

/// The text of one parameter.
struct TextReader(String);

/// Reads numbers from their texts.
macro_rules! numbers {
    ($($method:ident: $type:ty, $visit:ident, $what:literal;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.0.parse::<$type>() {
                Ok(number) => visitor.$visit(number),
                Err(_) => Err(de::Error::invalid_type(Unexpected::Str(""), &$what)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for TextReader {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.0)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.parse::<u64>() {
            Ok(number) if number <= MAX_INTEGER => visitor.visit_u64(number),
            _ => Err(de::Error::invalid_type(Unexpected::Str(""), &"u64")),
        }
    }

    numbers! {
        deserialize_u8: u8, visit_u8, "u8";
        deserialize_u16: u16, visit_u16, "u16";
        deserialize_u32: u32, visit_u32, "u32";
        deserialize_i64: i64, visit_i64, "i64";
        deserialize_bool: bool, visit_bool, "`true` or `false`";
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
