//! Every row of every table, read beside the relay.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use tokio_postgres::{Client, NoTls};

use crate::world::World;

/// What changes by itself or about the caller alone: the sign of life of the relay, and when a token was
/// last seen.
const UNWATCHED: [(&str, &str); 3] = [
    ("heartbeats", "at"),
    ("agent_tokens", "last_used_at"),
    // A request that is refused counts as one.
    ("rate_windows", "times"),
];

/// A way to look at all rows.
pub(super) struct Rows {
    database: Database,
    /// One statement that gives every row as a line.
    sql: String,
    /// What was read last, and the state of the database that it was read in.
    last: Mutex<Option<(String, Arc<Vec<String>>)>>,
}

enum Database {
    Sqlite(Mutex<Connection>),
    Postgres(Client),
}

impl Rows {
    pub(super) async fn of(world: &World) -> Self {
        let Some(url) = world.database_url() else {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
            let file = world.data().join("relay.db");
            let connection = Connection::open_with_flags(file, flags).unwrap();
            let sql = sqlite_statement(&connection);
            let database = Database::Sqlite(Mutex::new(connection));
            return Self { database, sql, last: Mutex::default() };
        };
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let sql = postgres_statement(&client).await;
        Self { database: Database::Postgres(client), sql, last: Mutex::default() }
    }

    /// All rows as they are now, in an order that does not depend on how they are stored.
    pub(super) async fn now(&self) -> Arc<Vec<String>> {
        loop {
            self.everything_filed().await;
            let state = self.state().await;
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match last {
                // Nothing was written since.
                Some((known, lines)) if known == state => return lines,
                _ => {}
            }
            let mut lines = self.read(&self.sql).await;
            lines.sort_unstable();
            if self.state().await == state {
                let lines = Arc::new(lines);
                let read = Some((state, Arc::clone(&lines)));
                *self.last.lock().unwrap_or_else(PoisonError::into_inner) = read;
                return lines;
            }
        }
    }

    /// What was accepted is in its tables a moment later; until then it lies elsewhere.
    async fn everything_filed(&self) {
        if let Database::Postgres(_) = self.database {
            return;
        }
        for _ in 0..500 {
            if self.read("SELECT '' FROM unfiled").await.is_empty() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("what was accepted is never filed");
    }

    /// A text that is different after every write.
    async fn state(&self) -> String {
        let sql = match &self.database {
            Database::Sqlite(_) => "SELECT data_version || '' FROM pragma_data_version",
            Database::Postgres(_) => "SELECT pg_current_snapshot()::text",
        };
        self.read(sql).await.remove(0)
    }

    async fn read(&self, sql: &str) -> Vec<String> {
        match &self.database {
            Database::Sqlite(connection) => {
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                let mut statement = connection.prepare_cached(sql).unwrap();
                let lines = statement.query_map([], |row| row.get(0)).unwrap();
                lines.collect::<Result<_, _>>().unwrap()
            }
            Database::Postgres(client) => {
                let rows = client.query(sql, &[]).await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        }
    }

    /// All rows, once nothing moves any more.
    pub(super) async fn settled(&self) -> Arc<Vec<String>> {
        let mut before = self.now().await;
        for _ in 0..500 {
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
            let after = self.now().await;
            if after == before {
                return after;
            }
            before = after;
        }
        panic!("the relay does not come to rest");
    }
}

/// What is different, for the reader of a failed test.
pub(super) fn difference(before: &[String], after: &[String]) -> String {
    let gone = before.iter().filter(|line| after.binary_search(line).is_err());
    let new = after.iter().filter(|line| before.binary_search(line).is_err());
    let lines = gone.map(|line| format!("- {line}")).chain(new.map(|line| format!("+ {line}")));
    lines.collect::<Vec<_>>().join("\n")
}

fn sqlite_statement(connection: &Connection) -> String {
    let list = "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid";
    let mut statement = connection.prepare(list).unwrap();
    let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    union(&columns.collect::<Result<Vec<_>, _>>().unwrap(), |column| format!("quote(\"{column}\")"))
}

async fn postgres_statement(client: &Client) -> String {
    let list = "SELECT table_name::text, column_name::text FROM information_schema.columns
        WHERE table_schema = current_schema() ORDER BY 1, ordinal_position";
    let rows = client.query(list, &[]).await.unwrap();
    let columns: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    union(&columns, |column| format!("quote_nullable(\"{column}\"::text)"))
}

fn union(columns: &[(String, String)], quoted: impl Fn(&str) -> String) -> String {
    let mut parts = Vec::new();
    for of_table in columns.chunk_by(|one, two| one.0 == two.0) {
        let table = &of_table[0].0;
        let watched = of_table.iter().map(|(_, column)| column.as_str());
        let watched = watched.filter(|column| !UNWATCHED.contains(&(table.as_str(), column)));
        let line: Vec<String> = watched.map(&quoted).collect();
        parts.push(format!("SELECT '{table} ' || {} FROM \"{table}\"", line.join(" || ' ' || ")));
    }
    assert!(parts.len() > 20, "these are not the tables of a relay: {parts:?}");
    parts.join(" UNION ALL ")
}
