CREATE TABLE agent_relations (
    conversation_id TEXT PRIMARY KEY,
    relation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    is_active BIGINT NOT NULL
) /*sqlite STRICT*/;
CREATE INDEX agent_relations_of ON agent_relations (relation_id);

CREATE TABLE agent_calls (
    call_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    client_message_id TEXT NOT NULL,
    tool_call BYTEA NOT NULL,
    deadline BIGINT NOT NULL,
    answer BYTEA
) /*sqlite STRICT*/;
CREATE INDEX agent_calls_of ON agent_calls (conversation_id);
CREATE INDEX agent_calls_message ON agent_calls (client_message_id);

CREATE TABLE agent_last_change (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    event_id BIGINT NOT NULL
) /*sqlite STRICT*/;
