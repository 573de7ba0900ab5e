//! Where a database is.

use std::{fmt, path::PathBuf, str::FromStr};

/// `sqlite:PATH` or `postgres://…`.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file.
    Sqlite(PathBuf),
    /// A server. The address may hold a password: it is shown nowhere.
    Postgres(String),
}

/// What is wrong with a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `sqlite:PATH` or `postgres://USER@HOST/DATABASE`")]
pub struct LocationError;

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() {
                Err(LocationError)
            } else {
                Ok(Self::Sqlite(path.into()))
            };
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(LocationError)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(_) => f.write_str("postgres://…"),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Location;

    #[test]
    fn a_location_is_a_file_or_a_server() {
        assert_eq!("sqlite:a/b.db".parse(), Ok(Location::Sqlite("a/b.db".into())));
        assert_eq!("sqlite:///a/b.db".parse(), Ok(Location::Sqlite("/a/b.db".into())));
        assert!(matches!("postgres://u@h/d".parse(), Ok(Location::Postgres(_))));
        for wrong in ["", "sqlite:", "mysql://h/d", "/a/b.db"] {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_not_shown() {
        let location: Location = "postgres://u:hunter2@h/d".parse().unwrap();
        assert_eq!(format!("{location} {location:?}"), "postgres://… postgres://…");
    }
}
