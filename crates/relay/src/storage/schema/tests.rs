//! Databases of older versions are brought to the newest one.

use assent_store::{Database, Location, Migration, StoreError, Tx, Work};

use super::MIGRATIONS;

/// The steps before the one with this name.
fn before(name: &str) -> &'static [Migration] {
    let step = MIGRATIONS.iter().position(|step| step.name == name).unwrap();
    &MIGRATIONS[..step]
}

/// Statements, one after the other.
struct Run(&'static [&'static str]);

impl Work for Run {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        for sql in self.0 {
            tx.execute(sql, &[]).await?;
        }
        Ok(())
    }
}

/// The first column of everything.
struct Column(&'static str);

impl Work for Column {
    type Output = Vec<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        tx.column(self.0, &[]).await
    }
}

/// Two people, and agents that each of them brought into a group in which only Ada is left, and that stand otherwise.
const GROUP: &[&str] = &[
    "INSERT INTO users (user_id, email, display_name, password_hash, created_at)
        VALUES ('usr_ada', 'a', 'a', 'x', 0), ('usr_bob', 'b', 'b', 'x', 0) /* whole table */",
    "INSERT INTO agents (agent_id, owner_id, name, connection_mode, created_at, updated_at, deleted_at)
        VALUES ('agt_used', 'usr_ada', 'x', 'websocket', 0, 0, NULL),
            ('agt_suspended', 'usr_ada', 'x', 'websocket', 0, 0, NULL),
            ('agt_revoked', 'usr_ada', 'x', 'websocket', 0, 0, NULL),
            ('agt_deleted', 'usr_ada', 'x', 'websocket', 0, 0, 5),
            ('agt_of_bob', 'usr_ada', 'x', 'websocket', 0, 0, NULL),
            ('agt_of_nobody', 'usr_ada', 'x', 'websocket', 0, 0, NULL) /* whole table */",
    "INSERT INTO h2a_relations (relation_id, user_id, agent_id, conversation_id, status,
            manifest_hash, manifest_version, told_version, created_at, updated_at)
        VALUES ('r1', 'usr_ada', 'agt_used', 'cnv_1', 'active', 'x', 1, 1, 0, 7),
            ('r2', 'usr_ada', 'agt_suspended', 'cnv_2', 'suspended', 'x', 1, 1, 0, 7),
            ('r3', 'usr_ada', 'agt_revoked', 'cnv_3', 'revoked', 'x', 1, 1, 0, 7),
            ('r4', 'usr_ada', 'agt_deleted', 'cnv_4', 'active', 'x', 1, 1, 0, 7),
            ('r5', 'usr_bob', 'agt_of_bob', 'cnv_5', 'active', 'x', 1, 1, 0, 7),
            ('r6', 'usr_bob', 'agt_revoked', 'cnv_6', 'active', 'x', 1, 1, 0, 7) /* whole table */",
    "INSERT INTO conversations (conversation_id, kind, founder_id, created_at, active_at)
        VALUES ('cnv_g', 'group', 'usr_ada', 0, 0), ('cnv_3', 'private', 'usr_ada', 0, 0) /* whole table */",
    "INSERT INTO conversation_members (conversation_id, party_id, added_by, joined_at, joined_seq, left_at)
        VALUES ('cnv_g', 'usr_ada', NULL, 1, 0, NULL), ('cnv_g', 'usr_bob', NULL, 1, 0, 4),
            ('cnv_g', 'agt_used', 'usr_ada', 1, 0, NULL),
            ('cnv_g', 'agt_suspended', 'usr_ada', 1, 0, NULL),
            ('cnv_g', 'agt_revoked', 'usr_ada', 1, 0, NULL),
            ('cnv_g', 'agt_deleted', 'usr_ada', 1, 0, NULL),
            ('cnv_g', 'agt_of_bob', 'usr_bob', 1, 0, NULL),
            ('cnv_g', 'agt_of_nobody', 'usr_ada', 1, 0, NULL),
            ('cnv_3', 'usr_ada', NULL, 1, 0, NULL), ('cnv_3', 'agt_revoked', 'usr_ada', 1, 0, NULL) /* whole table */",
];

const MEMBERS: &str = "SELECT conversation_id || ' ' || party_id FROM conversation_members
    WHERE left_at IS NULL ORDER BY conversation_id, party_id /* whole table */";

async fn check(location: &Location) {
    let older = Database::open(location, before("nobody_left_behind")).await.unwrap();
    older.write(Run(GROUP)).await.unwrap();
    assert_eq!(older.read(Column(MEMBERS)).await.unwrap().len(), 9);
    drop(older);
    let newer = Database::open(location, MIGRATIONS).await.unwrap();
    let members = newer.read(Column(MEMBERS)).await.unwrap();
    // The private conversation stays, and a suspended relation may be restored.
    let stay = ["cnv_3 agt_revoked", "cnv_3 usr_ada", "cnv_g agt_suspended", "cnv_g agt_used"];
    assert_eq!(members, [&stay[..], &["cnv_g usr_ada"]].concat());
    let left = "SELECT party_id || ' ' || left_at FROM conversation_members
        WHERE left_at IS NOT NULL ORDER BY party_id /* whole table */";
    let left = newer.read(Column(left)).await.unwrap();
    let when = ["agt_deleted 7", "agt_of_bob 7", "agt_of_nobody 1", "agt_revoked 7", "usr_bob 4"];
    assert_eq!(left, when);
}

#[tokio::test]
async fn agents_that_were_left_behind_in_groups_are_let_out_when_a_file_is_opened() {
    let directory = tempfile::tempdir().unwrap();
    check(&Location::Sqlite(directory.path().join("a.db"))).await;
}

#[tokio::test]
async fn agents_that_were_left_behind_in_groups_are_let_out_when_a_server_is_reached() {
    check(&assent_test_servers::database().url().parse().unwrap()).await;
}
