-- What is old is found by walking over conversations and recipients, whose first rows are their oldest. An order by
-- age beside that had to be kept up with every message.
DROP INDEX messages_by_age;
DROP INDEX events_by_age;
