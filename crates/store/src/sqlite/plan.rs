//! Whether a statement finds its rows or walks through a whole table to find them.
//!
//! Looked at once per statement, in builds for development: a table is small in every test, so nothing else
//! would notice that a statement has no index to follow.

use std::collections::BTreeSet;

use rusqlite::Connection;

/// Says in a statement that it means to: the table is small, or all of it is wanted.
const MEANT: &str = "/* whole table */";

/// The tables that `sql` walks through although it does not say so.
pub(super) fn walked_through(
    connection: &Connection,
    sql: &str,
) -> Result<Vec<String>, rusqlite::Error> {
    if sql.contains(MEANT) {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next()? {
        steps.push(row.get::<_, String>(3)?);
    }
    let inner: BTreeSet<&str> = steps.iter().filter_map(|step| inner_query(step)).collect();
    let scanned = steps.iter().filter_map(|step| step.strip_prefix("SCAN "));
    // Values that came with the statement are no table, nor is what another step has found.
    let tables = scanned.filter(|scanned| {
        let name = scanned.split(' ').next().unwrap_or_default();
        !(scanned.contains("VIRTUAL TABLE") || *scanned == "CONSTANT ROW" || inner.contains(name))
    });
    Ok(tables.map(ToOwned::to_owned).collect())
}

/// The name of a query inside of a statement, if this step runs it.
fn inner_query(step: &str) -> Option<&str> {
    step.strip_prefix("CO-ROUTINE ").or_else(|| step.strip_prefix("MATERIALIZE "))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::walked_through;

    #[test]
    fn a_statement_without_an_index_to_follow_is_noticed() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)").unwrap();
        let walked = |sql: &str| walked_through(&connection, sql).unwrap();
        assert_eq!(walked("SELECT n FROM t WHERE id = ?1"), [""; 0]);
        assert_eq!(walked("SELECT id FROM t WHERE n = ?1"), ["t"]);
        assert_eq!(walked("UPDATE t SET n = 1 WHERE n = 2"), ["t"]);
        assert_eq!(walked("SELECT id FROM t WHERE n = ?1 /* whole table */"), [""; 0]);
        assert_eq!(walked("SELECT value FROM json_each(?1)"), [""; 0]);
        assert_eq!(walked("INSERT INTO t (n) VALUES (?1)"), [""; 0]);
        let inner = "SELECT max(id) FROM (SELECT id FROM t WHERE id > ?1 LIMIT 3) AS few";
        assert_eq!(walked(inner), [""; 0]);
    }
}
