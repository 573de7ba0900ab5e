-- Under which of the operator's keys a secret lies here; NULL if it lies here as it is.
ALTER TABLE signing_keys ADD COLUMN sealed_under TEXT;
ALTER TABLE webhook_secrets ADD COLUMN sealed_under TEXT;
