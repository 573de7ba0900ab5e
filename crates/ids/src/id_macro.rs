//! The macro that defines the id types. The rules for their texts are in `validate`.

/// `generated` defines `Copy` ids around a ULID, `name` defines checked strings.
macro_rules! ids {
    (generated $($(#[doc = $doc:literal])+ $name:ident, $prefix:literal, $what:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name($crate::Ulid);

        impl GeneratedId for $name {
            const PREFIX: &'static str = $prefix;
            const WHAT: &'static str = $what;
            fn from_ulid(ulid: $crate::Ulid) -> Self { Self(ulid) }
            fn ulid(self) -> $crate::Ulid { self.0 }
        }
        impl $crate::Written for $name {
            fn text(&self) -> std::sync::Arc<str> { self.to_string().into() }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!($prefix, "_"))?;
                std::fmt::Display::fmt(&self.0, f)
            }
        }
        $crate::id_macro::ids!(@text $name, $what, |text| $crate::validate::prefixed($prefix, text));
        $crate::id_macro::ids!(@schema $name, concat!($($doc),+), $crate::schema::prefixed($prefix));
    )+};
    (name $($(#[doc = $doc:literal])+ $name:ident, validate::$check:ident, $what:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }
        impl $crate::Written for $name {
            fn text(&self) -> std::sync::Arc<str> { std::sync::Arc::clone(&self.0) }
        }
        impl From<&$name> for std::sync::Arc<str> {
            fn from(name: &$name) -> Self { Self::clone(&name.0) }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) }
        }
        $crate::id_macro::ids!(@text $name, $what, |text| validate::$check(text).map(|()| text.into()));
        $crate::id_macro::ids!(@schema $name, concat!($($doc),+), $crate::schema::$check());
    )+};
    (@schema $name:ident, $description:expr, $schema:expr) => {
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::schema::described($schema, $description)
            }
        }
    };
    (@text $name:ident, $what:literal, $read:expr) => {
        impl std::str::FromStr for $name {
            type Err = $crate::ParseIdError;
            fn from_str(text: &str) -> Result<Self, $crate::ParseIdError> {
                let read: fn(&str) -> Result<_, $crate::Fault> = $read;
                read(text).map(Self).map_err(|fault| $crate::ParseIdError::new($what, text, fault))
            }
        }
        impl TryFrom<String> for $name {
            type Error = $crate::ParseIdError;
            fn try_from(text: String) -> Result<Self, $crate::ParseIdError> { text.parse() }
        }
        impl From<$name> for String {
            fn from(id: $name) -> Self { id.to_string() }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { std::fmt::Display::fmt(self, f) }
        }
    };
}
pub(crate) use ids;
