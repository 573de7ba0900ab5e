-- Messages that were accepted and acknowledged, and are not in their tables yet: one row for all that one
-- transaction has accepted. A database of many writers has none.
/*sqlite CREATE TABLE unfiled (batch INTEGER PRIMARY KEY, accepted TEXT NOT NULL) STRICT;*/
