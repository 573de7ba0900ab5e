//! A connection and the statements that run on it.

use std::{borrow::Cow, collections::BTreeMap, path::Path};

use rusqlite::{
    CachedStatement, Connection, ErrorCode, Statement, ToSql,
    types::{ToSqlOutput, ValueRef},
};

use super::file;
use crate::{OpenError, Row, StoreError, Value};

/// Says in the header of the file whose it is: `ASNT`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"ASNT");

/// The names of parameters, which SQLite counts by when they first appear and not by their number.
const PARAMETERS: [&str; 24] = [
    "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
    "$16", "$17", "$18", "$19", "$20", "$21", "$22", "$23", "$24",
];

/// A connection.
pub(crate) struct Session {
    connection: Connection,
    /// What the disk did wrong since the transaction began.
    fault: Option<StoreError>,
    /// Statements that were seen, by where their texts lie, and where each of their values goes.
    places: BTreeMap<(usize, usize), Places>,
}

/// Where the values of a statement go; nothing for one that it does not mention.
type Places = Box<[Option<usize>]>;

impl Session {
    pub(super) fn to_write(path: &Path) -> Result<Self, OpenError> {
        file::private_file(path).map_err(|error| file::refused(path, error))?;
        let connection = file::writer(path).map_err(|error| opening(path, &error))?;
        Ok(Self::new(connection))
    }

    pub(super) fn to_read(path: &Path) -> Result<Self, OpenError> {
        let connection = file::reader(path).map_err(|error| opening(path, &error))?;
        Ok(Self::new(connection))
    }

    fn new(connection: Connection) -> Self {
        Self { connection, fault: None, places: BTreeMap::new() }
    }

    /// A statement, ready to run.
    fn bound(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<CachedStatement<'_>, rusqlite::Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let at = (sql.as_ptr().addr(), sql.len());
        let places = match self.places.get(&at) {
            Some(places) => places,
            None => {
                #[cfg(debug_assertions)]
                look_at(&self.connection, sql);
                let places = places_in(&statement, values.len())?;
                self.places.entry(at).or_insert(places)
            }
        };
        for (place, value) in places.iter().zip(values) {
            if let Some(place) = place {
                statement.raw_bind_parameter(*place, value)?;
            }
        }
        Ok(statement)
    }

    /// Makes an empty file ours, and refuses one of another program.
    pub(super) fn claim(&self, path: &Path) -> Result<(), OpenError> {
        if self.is_ours(path)? {
            return Ok(());
        }
        let claimed = self.connection.pragma_update(None, "application_id", APPLICATION_ID);
        claimed.map_err(|error| opening(path, &error))
    }

    /// Whether the file has tables of ours; false if it is empty. One of another program is refused.
    pub(super) fn is_ours(&self, path: &Path) -> Result<bool, OpenError> {
        let ask = || -> Result<(i32, u32), rusqlite::Error> {
            let application =
                self.connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
            let count = "SELECT count(*) FROM sqlite_schema";
            Ok((application, self.connection.query_row(count, (), |row| row.get(0))?))
        };
        match ask().map_err(|error| opening(path, &error))? {
            (0 | APPLICATION_ID, 0) => Ok(false),
            (APPLICATION_ID, _) => Ok(true),
            _ => Err(OpenError::Foreign(path.to_owned())),
        }
    }

    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
        self.fault = None;
        self.control("BEGIN IMMEDIATE")
    }

    pub(super) fn begin_to_read(&mut self) -> Result<(), StoreError> {
        self.fault = None;
        self.control("BEGIN")
    }

    /// Returns when everything since the beginning is durable.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => self.control("COMMIT"),
        }
    }

    pub(super) fn roll_back(&mut self) {
        if !self.connection.is_autocommit() {
            // If even this fails, the connection is closed next, which rolls back as well.
            let _ = self.control("ROLLBACK");
        }
    }

    /// Whether a transaction that changes more pages than fit into the cache writes them before it is committed.
    pub(super) fn spill(&mut self, may: bool) -> Result<(), StoreError> {
        let set = self.connection.pragma_update(None, "cache_spill", may);
        set.map_err(|error| self.failed(&error))
    }

    pub(super) fn save(&mut self) -> Result<(), StoreError> {
        self.control("SAVEPOINT job")
    }

    pub(super) fn keep(&mut self) -> Result<(), StoreError> {
        self.control("RELEASE job")
    }

    pub(super) fn forget(&mut self) -> Result<(), StoreError> {
        self.control("ROLLBACK TO job")?;
        self.control("RELEASE job")
    }

    /// What the disk did wrong since the transaction began.
    pub(super) const fn fault(&self) -> Option<&StoreError> {
        self.fault.as_ref()
    }

    pub(crate) fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        let changed = self.bound(sql, values).and_then(|mut statement| statement.raw_execute());
        let changed = changed.map_err(|error| self.failed(&error))?;
        Ok(u64::try_from(changed).unwrap_or(u64::MAX))
    }

    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        let run = |session: &mut Self| {
            let mut statement = session.bound(sql, values)?;
            let columns = statement.column_count();
            let mut rows = statement.raw_query();
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let values = (0..columns).map(|column| row.get_ref(column).map(owned));
                found.push(Row::new(values.collect::<Result<_, _>>()?));
            }
            Ok(found)
        };
        run(self).map_err(|error: rusqlite::Error| self.failed(&error))
    }

    pub(crate) fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.failed(&error))
    }

    fn control(&mut self, sql: &'static str) -> Result<(), StoreError> {
        self.execute(sql, &[]).map(|_| ())
    }

    fn failed(&mut self, error: &rusqlite::Error) -> StoreError {
        let text = error.to_string();
        if !is_fault(error) {
            return StoreError::Refused(text);
        }
        let error = StoreError::Unavailable(text);
        self.fault.get_or_insert_with(|| error.clone());
        error
    }
}

/// Looked up once: a message alone has fifty values, and each would be looked for by its name.
fn places_in(statement: &Statement<'_>, values: usize) -> Result<Places, rusqlite::Error> {
    let names = PARAMETERS.iter().take(values);
    names.map(|name| statement.parameter_index(name)).collect()
}

/// A statement that walks through a whole table is a mistake of ours, unless it says that it means to.
#[cfg(debug_assertions)]
fn look_at(connection: &Connection, sql: &str) {
    // One that cannot be explained cannot be run either, and fails then.
    let walked = super::plan::walked_through(connection, sql).unwrap_or_default();
    assert!(walked.is_empty(), "`{sql}` walks through {walked:?}");
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn owned(value: ValueRef<'_>) -> Value<'static> {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        // No statement computes fractions; shown as text, they are refused when they are read.
        ValueRef::Real(number) => Value::Text(Cow::Owned(number.to_string())),
        ValueRef::Text(text) => Value::Text(Cow::Owned(String::from_utf8_lossy(text).into_owned())),
        ValueRef::Blob(bytes) => Value::Bytes(Cow::Owned(bytes.to_vec())),
    }
}

/// Whether the disk or the file is at fault, and not the statement.
fn is_fault(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::OutOfMemory
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}

fn opening(path: &Path, error: &rusqlite::Error) -> OpenError {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return OpenError::Foreign(path.to_owned());
    }
    OpenError::Database(error.to_string())
}
