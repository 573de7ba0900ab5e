-- Times are milliseconds since 1970. Ids are text with a prefix that tells their kind. A `party` is a
-- person (usr_…) or an agent (agt_…).

CREATE TABLE users (
    user_id TEXT PRIMARY KEY,
    -- In lower case: two spellings of an address are one account.
    email TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    locale TEXT,
    -- Argon2id, with its parameters and salt.
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
) /*sqlite STRICT*/;

-- Wrong passwords in a row, for addresses with and without an account: both lock alike.
CREATE TABLE login_failures (
    -- SHA-256 of the address in lower case.
    email_hash TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    -- Zero if it is not locked.
    locked_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) /*sqlite WITHOUT ROWID, STRICT*/;
CREATE INDEX login_failures_by_age ON login_failures (updated_at);

-- A login, and everything that descends from it.
CREATE TABLE token_families (
    family_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (user_id),
    created_at BIGINT NOT NULL,
    -- When its newest token runs out.
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
) /*sqlite STRICT*/;
CREATE INDEX token_families_by_end ON token_families (revoked_at);
CREATE INDEX token_families_of_user ON token_families (user_id, expires_at);
CREATE INDEX token_families_by_age ON token_families (expires_at);

CREATE TABLE refresh_tokens (
    -- SHA-256; the token itself is nowhere.
    token_hash TEXT PRIMARY KEY,
    family_id TEXT NOT NULL REFERENCES token_families (family_id),
    issued_at BIGINT NOT NULL,
    -- A token that comes again after this reveals that it was stolen, unless its answer was lost.
    used_at BIGINT,
    -- What it was exchanged for, as long as that was not used; only who has the token can read it.
    sealed_successor BYTEA
) /*sqlite STRICT*/;
CREATE INDEX refresh_tokens_of_family ON refresh_tokens (family_id);

-- With what access tokens are signed. The newest signs, the others still verify.
CREATE TABLE signing_keys (
    key_id TEXT PRIMARY KEY,
    secret BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT
) /*sqlite STRICT*/;

CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (user_id),
    name TEXT NOT NULL,
    public_key TEXT NOT NULL,
    signing_public_key TEXT NOT NULL,
    -- The login that registered it, which ends with it.
    family_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT,
    -- A device that is gone stays, so that what it signed can be verified.
    removed_at BIGINT
) /*sqlite STRICT*/;
CREATE INDEX devices_by_end ON devices (removed_at);
CREATE INDEX devices_of_user ON devices (user_id);

-- Prekeys belong to a device or to an agent. Their names are kept as JSON: 7 is not "7".
CREATE TABLE signed_prekeys (
    owner_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    signature TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- A key that was replaced stays, so that its name is never given to another one.
    replaced_at BIGINT,
    PRIMARY KEY (owner_id, key_id)
) /*sqlite WITHOUT ROWID, STRICT*/;

CREATE TABLE one_time_prekeys (
    owner_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- A key that was handed out stays, so that it is never accepted again.
    claimed_at BIGINT,
    PRIMARY KEY (owner_id, key_id),
    UNIQUE (owner_id, public_key)
) /*sqlite WITHOUT ROWID, STRICT*/;
CREATE INDEX one_time_prekeys_left ON one_time_prekeys (owner_id, created_at, key_id)
    WHERE claimed_at IS NULL;

CREATE TABLE key_backups (
    user_id TEXT PRIMARY KEY REFERENCES users (user_id),
    -- Sealed by the person's device.
    backup JSONB NOT NULL,
    updated_at BIGINT NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE agents (
    agent_id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES users (user_id),
    name TEXT NOT NULL,
    description TEXT,
    connection_mode TEXT NOT NULL,
    webhook_url TEXT,
    health_check_url TEXT,
    capability_manifest JSONB,
    capability_manifest_version BIGINT NOT NULL DEFAULT 0,
    capability_manifest_hash TEXT,
    public_key TEXT,
    signing_public_key TEXT,
    keys_registered_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    suspended_at BIGINT,
    -- Why, for the people concerned.
    suspended_reason TEXT,
    deleted_at BIGINT,
    -- Since when its webhook has failed, and since when it counts as unreachable.
    failing_since BIGINT,
    unreachable_since BIGINT,
    next_health_check_at BIGINT,
    -- The number of its last change among those of all agents.
    change BIGINT NOT NULL DEFAULT 0
) /*sqlite STRICT*/;
CREATE INDEX agents_of_owner ON agents (owner_id);
CREATE INDEX agents_by_time ON agents (updated_at);
CREATE INDEX agents_unreachable ON agents (unreachable_since) WHERE unreachable_since IS NOT NULL;
CREATE INDEX agents_to_ask ON agents (next_health_check_at);
CREATE INDEX agents_by_change ON agents (change);

-- One row: the number of the last change of any agent. Whoever takes the next one holds the row until it
-- is visible, so numbers become visible in their order, whatever the clocks of the nodes say.
CREATE TABLE agent_changes (
    counter BIGINT PRIMARY KEY,
    last_change BIGINT NOT NULL
) /*sqlite STRICT*/;

-- What the present manifest declares.
CREATE TABLE agent_scopes (
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    scope TEXT NOT NULL,
    PRIMARY KEY (agent_id, scope)
) /*sqlite WITHOUT ROWID, STRICT*/;

-- Every manifest that an agent ever had, in the bytes that were hashed.
CREATE TABLE agent_manifests (
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    version BIGINT NOT NULL,
    hash TEXT NOT NULL,
    canonical TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    agent_version TEXT NOT NULL,
    -- 1 if people had to be asked again.
    breaking BIGINT NOT NULL,
    -- What the check had to say about it.
    warnings JSONB NOT NULL,
    -- owner or agent
    published_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (agent_id, version)
) /*sqlite STRICT*/;

-- What the owner should look at, as long as it is so.
CREATE TABLE agent_telemetry (
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    params JSONB NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (agent_id, code)
) /*sqlite WITHOUT ROWID, STRICT*/;

CREATE TABLE agent_tokens (
    token_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    -- SHA-256; the token itself is nowhere.
    token_hash TEXT NOT NULL UNIQUE,
    name TEXT,
    scopes JSONB NOT NULL DEFAULT '[]',
    created_at BIGINT NOT NULL,
    -- To within some minutes.
    last_used_at BIGINT,
    revoked_at BIGINT
) /*sqlite STRICT*/;
CREATE INDEX agent_tokens_by_end ON agent_tokens (revoked_at);
CREATE INDEX agent_tokens_of_agent ON agent_tokens (agent_id);

CREATE TABLE webhook_secrets (
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    created_at BIGINT NOT NULL,
    secret BYTEA NOT NULL,
    -- After a rotation the old one signs as well for a while.
    expires_at BIGINT,
    PRIMARY KEY (agent_id, created_at)
) /*sqlite WITHOUT ROWID, STRICT*/;

CREATE TABLE h2a_relations (
    relation_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (user_id),
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    conversation_id TEXT NOT NULL,
    -- active, suspended or revoked
    status TEXT NOT NULL,
    granted_scopes JSONB NOT NULL DEFAULT '[]',
    -- What the person saw when agreeing.
    manifest_hash TEXT NOT NULL,
    manifest_version BIGINT NOT NULL,
    -- What the person has to agree to again, since which version.
    reauth_scopes JSONB NOT NULL DEFAULT '[]',
    reauth_version BIGINT,
    -- The newest manifest that the person knows about: agreed to, or told of. -1 if the agent was deleted
    -- and the person has not been told yet.
    told_version BIGINT NOT NULL,
    -- owner or operator
    suspended_by TEXT,
    suspended_reason TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (user_id, agent_id)
) /*sqlite STRICT*/;
CREATE INDEX h2a_relations_of_agent ON h2a_relations (agent_id, user_id);
CREATE INDEX h2a_relations_of_agent_by_id ON h2a_relations (agent_id, relation_id);
CREATE UNIQUE INDEX h2a_relations_of_conversation ON h2a_relations (conversation_id);

CREATE TABLE ledger_entries (
    relation_id TEXT NOT NULL REFERENCES h2a_relations (relation_id),
    position BIGINT NOT NULL,
    -- The bytes that were signed.
    entry TEXT NOT NULL,
    signature TEXT NOT NULL,
    digest TEXT NOT NULL,
    device_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (relation_id, position)
) /*sqlite STRICT*/;

CREATE TABLE conversations (
    conversation_id TEXT PRIMARY KEY,
    -- private (a person and an agent) or group
    kind TEXT NOT NULL,
    founder_id TEXT NOT NULL,
    last_seq BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    -- When the last message came, or it began.
    active_at BIGINT NOT NULL
) /*sqlite STRICT*/;

CREATE TABLE conversation_members (
    conversation_id TEXT NOT NULL REFERENCES conversations (conversation_id),
    party_id TEXT NOT NULL,
    -- The person who brought the agent in.
    added_by TEXT,
    joined_at BIGINT NOT NULL,
    -- Who joins sees what comes after.
    joined_seq BIGINT NOT NULL,
    left_at BIGINT,
    PRIMARY KEY (conversation_id, party_id)
) /*sqlite WITHOUT ROWID, STRICT*/;
CREATE INDEX conversations_of_party ON conversation_members (party_id, conversation_id);

CREATE TABLE messages (
    conversation_id TEXT NOT NULL REFERENCES conversations (conversation_id),
    seq BIGINT NOT NULL,
    message_id TEXT NOT NULL,
    sender_id TEXT NOT NULL,
    client_message_id TEXT NOT NULL,
    msg_subtype TEXT NOT NULL,
    content_type TEXT NOT NULL,
    envelope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, seq),
    UNIQUE (conversation_id, sender_id, client_message_id)
) /*sqlite STRICT*/;
CREATE INDEX messages_by_age ON messages (created_at);

-- Who gets events, and the number of the newest.
CREATE TABLE recipients (
    party_id TEXT PRIMARY KEY,
    last_event_id BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- What went through an agent since it was made: here, because every message changes this row anyway.
    messages_sent BIGINT NOT NULL DEFAULT 0,
    tool_calls BIGINT NOT NULL DEFAULT 0,
    messages_received BIGINT NOT NULL DEFAULT 0
) /*sqlite WITHOUT ROWID, STRICT*/;
-- For nodes that look what others did; a file has one node.
/*postgres CREATE INDEX recipients_by_change ON recipients (updated_at);*/

CREATE TABLE events (
    party_id TEXT NOT NULL,
    event_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    -- What it tells; a message is not copied but pointed to.
    data JSONB,
    conversation_id TEXT,
    seq BIGINT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (party_id, event_id)
) /*sqlite WITHOUT ROWID, STRICT*/;
-- Says all that forgetting messages asks for.
CREATE INDEX events_by_age ON events (created_at, conversation_id, seq);

-- How far each device has come; the empty device stands for a client that has none.
CREATE TABLE event_acks (
    party_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    event_id BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (party_id, device_id)
) /*sqlite WITHOUT ROWID, STRICT*/;

CREATE TABLE webhook_deliveries (
    delivery_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    event_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    -- pending, delivered or failed
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    -- Of these, since it was last asked for: they say when it is tried next.
    failures BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL,
    -- Until when a node has it to itself.
    leased_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    finished_at BIGINT
) /*sqlite STRICT*/;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, next_attempt_at);
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (agent_id, leased_until);
CREATE INDEX webhook_deliveries_of_agent ON webhook_deliveries (agent_id, delivery_id);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at)
    WHERE finished_at IS NOT NULL;

CREATE TABLE webhook_attempts (
    delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (delivery_id),
    attempt BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    status_code BIGINT,
    error TEXT,
    PRIMARY KEY (delivery_id, attempt)
) /*sqlite WITHOUT ROWID, STRICT*/;

-- News of an agent on their way to everybody who has a relation with it; gone when all were told.
CREATE TABLE broadcasts (
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    -- The manifest that it is about; 0 for the end of the agent.
    version BIGINT NOT NULL,
    -- reauth, changed or deleted
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    scopes JSONB NOT NULL,
    -- The last person who was reached.
    told_to TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (agent_id, version)
) /*sqlite WITHOUT ROWID, STRICT*/;

-- The times of the last few uses of whatever is limited, eight bytes each, oldest first.
CREATE TABLE rate_windows (
    name TEXT PRIMARY KEY,
    times BYTEA NOT NULL,
    updated_at BIGINT NOT NULL
) /*sqlite WITHOUT ROWID, STRICT*/;
CREATE INDEX rate_windows_by_age ON rate_windows (updated_at);

-- Written to prove that what is written becomes durable.
CREATE TABLE heartbeats (
    name TEXT PRIMARY KEY,
    at BIGINT NOT NULL
) /*sqlite WITHOUT ROWID, STRICT*/;
