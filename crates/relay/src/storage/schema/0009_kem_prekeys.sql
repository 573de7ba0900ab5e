-- Post-quantum prekeys of devices and agents. Owners that published none cannot be sealed to until they do.
CREATE TABLE kem_prekeys (
    owner_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    signature TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- A key that was replaced stays, so that it never comes back.
    replaced_at BIGINT,
    PRIMARY KEY (owner_id, key_id)
) /*sqlite WITHOUT ROWID, STRICT*/;
