-- Facts in the order in which they became durable. Those of one call that were written together are one
-- row: a call leaves some twenty facts, but only a few runs of them.
CREATE TABLE runs (
    -- The places of the first and the last fact.
    first      INTEGER PRIMARY KEY,
    last       INTEGER NOT NULL,
    -- The 16 bytes of the id of the call, which sort by time; none for facts that are about no call.
    invocation BLOB,
    -- The step that comes after the last fact of the run.
    next_step  INTEGER NOT NULL,
    -- A line for each fact: its time in milliseconds since 1970, its step and itself, as a JSON array.
    body       TEXT NOT NULL
) STRICT;

CREATE INDEX runs_of_call ON runs (invocation) WHERE invocation IS NOT NULL;

INSERT INTO runs (first, last, invocation, next_step, body)
    SELECT seq, seq, invocation, step + 1, '[' || at || ',' || step || ',' || body || ']' || char(10)
    FROM entries ORDER BY seq;

DROP TABLE entries;
