-- Messages are forgotten from the beginning of their conversation: nobody looks for them by age, and this had to be
-- kept up with every message.
DROP INDEX messages_by_age;
