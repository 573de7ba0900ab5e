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
    agent_id TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    answers BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    call BYTEA NOT NULL,
    response BYTEA
) /*sqlite STRICT*/;
CREATE INDEX device_calls_open ON device_calls (is_open) WHERE is_open = 1;

CREATE TABLE device_prompts (
    prompt_id TEXT PRIMARY KEY,
    opened_at BIGINT NOT NULL,
    not_after BIGINT NOT NULL,
    decision TEXT
) /*sqlite STRICT*/;

CREATE TABLE device_silences (
    silence_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    allowed_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL
) /*sqlite STRICT*/;
