-- When somebody last asked for a delivery again: it is tried for three days from then. NULL if nobody has.
ALTER TABLE webhook_deliveries ADD COLUMN asked_at BIGINT;
