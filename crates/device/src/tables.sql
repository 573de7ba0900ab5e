CREATE TABLE device_account (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    account BYTEA NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE device_relations (
    agent_id TEXT PRIMARY KEY,
    conversation_id TEXT,
    relation BYTEA NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE device_calls (
    answer_id TEXT PRIMARY KEY,
    invocation_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    is_withdrawn BIGINT NOT NULL,
    answers BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    call BYTEA NOT NULL,
    response BYTEA,
    audit_seq BIGINT
) /*sqlite STRICT*/;
CREATE UNIQUE INDEX device_calls_by_invocation ON device_calls (invocation_id);
CREATE INDEX device_calls_received ON device_calls (received_at, invocation_id);
CREATE INDEX device_calls_of ON device_calls (conversation_id, received_at);
CREATE INDEX device_calls_open ON device_calls (is_open) WHERE is_open = 1;

CREATE TABLE device_prompts (
    prompt_id TEXT PRIMARY KEY,
    invocation_id TEXT NOT NULL,
    prompt BYTEA NOT NULL
) /*sqlite STRICT*/;
CREATE INDEX device_prompts_of ON device_prompts (invocation_id);

CREATE TABLE device_standings (
    agent_id TEXT PRIMARY KEY,
    tools BYTEA NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE device_audit (
    seq BIGINT PRIMARY KEY,
    answered_at BIGINT NOT NULL,
    entry BYTEA NOT NULL
) /*sqlite STRICT*/;
CREATE INDEX device_audit_at ON device_audit (answered_at);

CREATE TABLE device_audit_state (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    state BYTEA NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE device_refused (
    refused_id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    message BYTEA NOT NULL
) /*sqlite STRICT*/;
CREATE INDEX device_refused_at ON device_refused (at, refused_id);

CREATE TABLE device_messages (
    conversation_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    message BYTEA NOT NULL,
    PRIMARY KEY (conversation_id, message_id)
) /*sqlite STRICT*/;
CREATE INDEX device_messages_at ON device_messages (conversation_id, at, message_id);

CREATE TABLE device_settings (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    settings BYTEA NOT NULL
) /*sqlite STRICT*/;
