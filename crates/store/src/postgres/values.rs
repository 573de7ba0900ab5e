//! Values in the format of PostgreSQL's protocol.

use std::{borrow::Cow, error::Error};

use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};

use crate::Value;

/// The first byte of a JSON document in this format.
const JSONB_FORMAT: u8 = 1;

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => return Ok(IsNull::Yes),
            Self::Integer(number) if *ty == Type::INT4 => {
                out.extend_from_slice(&i32::try_from(*number)?.to_be_bytes());
            }
            Self::Integer(number) => out.extend_from_slice(&number.to_be_bytes()),
            Self::Text(text) => {
                if *ty == Type::JSONB {
                    out.extend_from_slice(&[JSONB_FORMAT]);
                }
                out.extend_from_slice(text.as_bytes());
            }
            Self::Bytes(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        <Value<'static> as FromSql<'_>>::accepts(ty)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value<'static> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let text =
            |bytes: &[u8]| Ok(Value::Text(Cow::Owned(std::str::from_utf8(bytes)?.to_owned())));
        match *ty {
            Type::INT8 => Ok(Value::Integer(i64::from_be_bytes(raw.try_into()?))),
            Type::INT4 => Ok(Value::Integer(i32::from_be_bytes(raw.try_into()?).into())),
            Type::BYTEA => Ok(Value::Bytes(Cow::Owned(raw.to_vec()))),
            Type::JSONB => text(raw.get(1..).unwrap_or_default()),
            _ => text(raw),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Value::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(
            *ty,
            Type::INT8
                | Type::INT4
                | Type::BYTEA
                | Type::JSONB
                | Type::JSON
                | Type::TEXT
                | Type::VARCHAR
                | Type::NAME
        )
    }
}
