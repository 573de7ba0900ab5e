//! What wakes other nodes, as operators write it.

use std::{fmt, str::FromStr};

/// What wakes other nodes. They look by themselves as well, only later.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum BusSetting {
    /// Nothing: there is one node, or patience.
    #[default]
    None,
    /// The database, if it is a PostgreSQL.
    Postgres,
    /// A NATS server. The address may hold a password: it is shown nowhere.
    Nats(String),
}

/// What is no bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `none`, `postgres` or `nats://HOST:PORT`")]
pub struct BusSettingError;

impl FromStr for BusSetting {
    type Err = BusSettingError;

    fn from_str(text: &str) -> Result<Self, BusSettingError> {
        match text {
            "none" => Ok(Self::None),
            "postgres" => Ok(Self::Postgres),
            _ => match text.split_once("://") {
                Some(("nats" | "tls", host)) if !host.is_empty() => Ok(Self::Nats(text.to_owned())),
                _ => Err(BusSettingError),
            },
        }
    }
}

impl fmt::Display for BusSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Postgres => "postgres",
            Self::Nats(_) => "nats://…",
        })
    }
}

impl fmt::Debug for BusSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::BusSetting;

    #[test]
    fn a_bus_is_nothing_the_database_or_a_server_whose_password_is_not_shown() {
        assert_eq!("none".parse(), Ok(BusSetting::None));
        assert_eq!("postgres".parse(), Ok(BusSetting::Postgres));
        let nats: BusSetting = "nats://u:hunter2@h:4222".parse().unwrap();
        assert_eq!(format!("{nats} {nats:?}"), "nats://… nats://…");
        for wrong in ["", "nats", "nats://", "redis://h", "None"] {
            assert!(wrong.parse::<BusSetting>().is_err(), "{wrong}");
        }
    }
}
