CREATE TABLE mailbox_identity (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    endpoint TEXT,
    account BYTEA NOT NULL,
    last_event_id BIGINT NOT NULL,
    last_position BIGINT NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE mailbox_peers (
    endpoint TEXT PRIMARY KEY,
    principal TEXT NOT NULL,
    state BYTEA NOT NULL
) /*sqlite STRICT*/;
CREATE INDEX mailbox_peers_of ON mailbox_peers (principal);

CREATE TABLE mailbox_opened (
    sender TEXT NOT NULL,
    client_message_id TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    PRIMARY KEY (sender, client_message_id)
) /*sqlite STRICT*/;
CREATE INDEX mailbox_opened_at ON mailbox_opened (opened_at);

CREATE TABLE mailbox_inbox (
    event_id BIGINT PRIMARY KEY,
    entry BYTEA NOT NULL,
    content BYTEA
) /*sqlite STRICT*/;

CREATE TABLE mailbox_outbox (
    position BIGINT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    client_message_id TEXT NOT NULL,
    msg_subtype TEXT NOT NULL,
    content_type TEXT NOT NULL,
    recipients TEXT NOT NULL,
    needs_new_session BIGINT NOT NULL,
    content BYTEA NOT NULL,
    envelope BYTEA,
    refusal TEXT,
    UNIQUE (conversation_id, client_message_id)
) /*sqlite STRICT*/;
CREATE INDEX mailbox_outbox_refused ON mailbox_outbox (position) WHERE refusal IS NOT NULL;
