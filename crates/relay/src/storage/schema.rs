//! The tables.

use assent_store::Migration;

/// How they came to look as they do. Steps are only ever added at the end. They run before the messages
/// that an earlier run has left in `unfiled` are flushed, so a step that reads messages has to read these as well.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { name: "initial", sql: include_str!("schema/0001_initial.sql") },
    Migration { name: "room_to_change", sql: include_str!("schema/0002_room_to_change.sql") },
    Migration { name: "agents_in_line", sql: include_str!("schema/0003_agents_in_line.sql") },
    Migration { name: "sealed_secrets", sql: include_str!("schema/0004_sealed_secrets.sql") },
    Migration {
        name: "no_messages_by_age",
        sql: include_str!("schema/0005_no_messages_by_age.sql"),
    },
    Migration { name: "unfiled", sql: include_str!("schema/0006_unfiled.sql") },
    Migration { name: "asked_again", sql: include_str!("schema/0007_asked_again.sql") },
    Migration {
        name: "nobody_left_behind",
        sql: include_str!("schema/0008_nobody_left_behind.sql"),
    },
    Migration { name: "kem_prekeys", sql: include_str!("schema/0009_kem_prekeys.sql") },
];

#[cfg(test)]
mod tests;
