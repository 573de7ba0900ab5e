-- Every fact, in the order in which it became durable.
CREATE TABLE entries (
    seq        INTEGER PRIMARY KEY,
    -- Milliseconds since 1970.
    at         INTEGER NOT NULL,
    -- The 16 bytes of the id of the call, which sort by time.
    invocation BLOB,
    step       INTEGER NOT NULL,
    -- The fact, as JSON.
    body       TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX entries_of_call ON entries (invocation, step) WHERE invocation IS NOT NULL;

-- How often something was used that can be used a limited number of times.
CREATE TABLE claims (
    key  TEXT PRIMARY KEY,
    used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What calls that have not ended need to go on after a crash. It holds real values: it is erased with
-- the end of the call and belongs into no export.
CREATE TABLE held (
    invocation BLOB PRIMARY KEY,
    state      BLOB NOT NULL
) STRICT, WITHOUT ROWID;
