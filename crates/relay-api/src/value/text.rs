//! Texts with rules.

mod check;

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::BrokenRule;

/// Makes types around texts: what the text must be, and what its schema says about that.
macro_rules! texts {
    ($($(#[doc = $doc:literal])+ $name:ident, $check:path, $rule:tt;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl TryFrom<String> for $name {
            type Error = BrokenRule;
            fn try_from(text: String) -> Result<Self, BrokenRule> {
                $check(text).map(Self)
            }
        }
        impl std::str::FromStr for $name {
            type Err = BrokenRule;
            fn from_str(text: &str) -> Result<Self, BrokenRule> {
                $check(text.to_owned()).map(Self)
            }
        }
        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                check::schema(concat!($($doc),+), json!($rule))
            }
        }
    )+};
}

texts! {
    /// An e-mail address.
    Email, check::email, { "format": "email", "minLength": 3, "maxLength": 254 };
    /// What people call a person, an agent or a device: 1 to 100 characters in one line.
    Name, check::name, { "minLength": 1, "maxLength": 100 };
    /// A text for people: at most 2000 characters.
    Description, check::description, { "maxLength": 2000 };
    /// Why something was done, for the people concerned: 1 to 500 characters in one line.
    Reason, check::reason, { "minLength": 1, "maxLength": 500 };
    /// A language tag such as `en` or `zh-Hans-CN`.
    Locale, check::locale, { "pattern": "^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$", "maxLength": 35 };
    /// The address of a service. Which ones may be called is decided when it is set and again before every call.
    WebAddress, check::web_address, { "format": "uri", "minLength": 1, "maxLength": 2048 };
    /// Where to go on in a list: the `next_cursor` of the answer before.
    Cursor, check::cursor, { "pattern": "^[A-Za-z0-9_.:=-]+$", "maxLength": 512 };
    /// A file on the machine of the server: an absolute path.
    FilePath, check::file_path, { "pattern": "^/", "minLength": 2, "maxLength": 4096 };
    /// What to search for: 1 to 200 characters.
    SearchText, check::search_text, { "minLength": 1, "maxLength": 200 };
}

impl Email {
    /// The form in which addresses are compared: changing the case of a letter does not give a second account.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}
