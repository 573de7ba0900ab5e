-- When each agent that is called has something to be called about. Agents stand in line and not their deliveries:
-- one with a hundred thousand of them that hangs is passed over as fast as one with a single one.
CREATE TABLE webhook_line (
    agent_id TEXT PRIMARY KEY REFERENCES agents (agent_id),
    due_at BIGINT NOT NULL
) /*sqlite WITHOUT ROWID, STRICT*/;
CREATE INDEX webhook_line_due ON webhook_line (due_at);
INSERT INTO webhook_line (agent_id, due_at)
    SELECT agent_id, min(next_attempt_at) FROM webhook_deliveries
    WHERE status = 'pending' GROUP BY agent_id;

DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_waiting
    ON webhook_deliveries (status, agent_id, next_attempt_at, delivery_id);
