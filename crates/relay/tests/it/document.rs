//! The document says what the relay does: Schemathesis asks for everything in it, rightly and wrongly, and
//! finds nothing that does not hold.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use assent_relay_api::{Credential, Described, operations};
use assent_test_servers::python_with;
use http::Method;
use serde_json::json;

use crate::{
    agent::manifest,
    person::{PASSWORD, Person},
    world::World,
};

/// Number of cases per operation, for more than the quick default. Then all callers call all operations, on both
/// databases.
const EXAMPLES: &str = "ASSENT_TEST_EXAMPLES";

/// Python packages: the tool and everything that it needs, so that a run can be repeated.
const PACKAGES: &str = include_str!("../schemathesis/requirements.txt");

const ALL_PHASES: &str = "examples,coverage,fuzzing,stateful";

/// Who asks.
#[derive(Clone, Debug)]
enum Asker {
    Anonymous,
    Person { email: String },
    Agent { token: String },
}

/// What is asked in a quick look.
struct Look {
    postgres: bool,
    phases: &'static str,
    /// Which operations are left out.
    without: fn(&Described) -> bool,
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_as_a_person() {
    let look = Look { postgres: false, phases: ALL_PHASES, without: |_| false };
    check(look, async |world| Asker::Person { email: inhabited(world).await.email }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_as_an_agent() {
    // What is for people alone an agent is refused before anything else is looked at.
    let without = |operation: &Described| operation.access.credential == Credential::User;
    let look = Look { postgres: true, phases: ALL_PHASES, without };
    check(look, async |world| {
        let owner = inhabited(world).await;
        let agent = world.agent(&owner, manifest(&[("look", "files:read")])).await;
        world.relation(&owner, &agent).await;
        Asker::Agent { token: agent.token }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_without_a_credential() {
    // Almost everything is refused before it is read: a few cases show it as well as many.
    let look = Look { postgres: false, phases: "examples,fuzzing", without: |_| false };
    check(look, async |_| Asker::Anonymous).await;
}

async fn check(look: Look, asker: impl AsyncFn(&World) -> Asker) {
    let Ok(examples) = env::var(EXAMPLES) else {
        return check_on(look, "3", &asker).await;
    };
    for postgres in [false, true] {
        let look = Look { postgres, phases: ALL_PHASES, without: |_| false };
        check_on(look, &examples, &asker).await;
    }
}

async fn check_on(look: Look, examples: &str, asker: &impl AsyncFn(&World) -> Asker) {
    let world = World::start(look.postgres, |settings| {
        // It asks more often than any person would.
        settings.limits.key_requests_per_minute = 1_000_000;
        settings.limits.prekey_claims_per_minute = 1_000_000;
        // It learns the person's address and guesses passwords, and would lock the person out.
        settings.limits.failed_logins = u32::MAX;
    })
    .await;
    let asker = asker(&world).await;
    let mut command = tool(&format!("http://{}", world.address()), &asker);
    command.args(["--phases", look.phases, "--max-examples", examples]);
    for operation in operations().iter().filter(|operation| (look.without)(operation)) {
        command.args(["--exclude-operation-id", operation.id]);
    }
    let ask = move || -> Output { command.output().unwrap() };
    let output = tokio::task::spawn_blocking(ask).await.unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as {asker:?}:\n{output_text}\n{wrong}");
    let metrics = world.call(Method::GET, "/metrics", None, None).await.text;
    assert!(metrics.contains("\nassent_panics_total 0\n"), "{metrics}");
    world.stop().await;
}

/// A person with data of several kinds, so that there is something to find.
async fn inhabited(world: &World) -> Person {
    let person = world.person("ada").await;
    let agent = world.agent(&person, manifest(&[("look", "files:read")])).await;
    let relation = world.relation(&person, &agent).await;
    let group = json!({ "kind": "group", "member_ids": [], "agent_ids": [agent.agent_id] });
    person.call(Method::POST, "/conversations", Some(group)).await.data();
    let message = json!({
        "client_message_id": "first",
        "msg_subtype": "text",
        "content_type": "text",
        "envelope": "c2VhbGVk",
    });
    let path = format!("/conversations/{}/messages", relation.conversation_id);
    person.call(Method::POST, &path, Some(message)).await.data();
    person
}

/// A run of Schemathesis, except for how much it asks.
fn tool(relay: &str, asker: &Asker) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemathesis");
    let mut command = Command::new(schemathesis());
    command
        .current_dir(folder)
        .args(["--config-file", "schemathesis.toml", "run"])
        .arg(format!("{relay}/openapi.json"))
        .args(["--seed", "7", "--generation-database", "none", "--warnings", "off"])
        .args(["--continue-on-failure", "--no-color"])
        .env("ASSENT_RELAY", relay)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    match asker {
        Asker::Anonymous => {}
        Asker::Person { email } => {
            command.env("ASSENT_EMAIL", email).env("ASSENT_PASSWORD", PASSWORD);
        }
        Asker::Agent { token } => {
            command.env("ASSENT_TOKEN", token);
        }
    }
    command
}

fn schemathesis() -> PathBuf {
    let packages: Vec<&str> = PACKAGES.lines().collect();
    let python = python_with(Path::new(env!("CARGO_TARGET_TMPDIR")), &packages);
    python.with_file_name("schemathesis")
}
