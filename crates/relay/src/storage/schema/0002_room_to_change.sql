-- Rows that change with every message: PostgreSQL writes a new state of a row beside the old one if the page
-- has room for it, and then no index has to be told. A file of SQLite changes rows where they are.
/*postgres ALTER TABLE recipients SET (fillfactor = 50);*/
/*postgres ALTER TABLE conversations SET (fillfactor = 50);*/
/*postgres ALTER TABLE rate_windows SET (fillfactor = 50);*/
