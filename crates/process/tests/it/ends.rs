//! How processes end, with everything that they started.

use std::time::Duration;

use assent_process::{CommunicateError, Limits};

use crate::script::{Folder, dies, is_alive, is_reaped};

/// A process with a child and a grandchild that do not end.
const FAMILY: &str =
    "sh -c 'echo $$ > child; sleep 300 & echo $! > grandchild; wait' & echo $$ > leader; wait";

async fn family(folder: &Folder) -> [u32; 3] {
    [folder.id_in("leader").await, folder.id_in("child").await, folder.id_in("grandchild").await]
}

async fn is_gone([leader, child, grandchild]: [u32; 3]) {
    is_reaped(leader).await;
    dies(child).await;
    dies(grandchild).await;
}

#[tokio::test]
async fn dropping_a_process_kills_its_group() {
    let folder = Folder::new();
    let process = folder.spawn(FAMILY);
    let family = family(&folder).await;
    assert_eq!(family[0], process.id());
    assert!(family.into_iter().all(is_alive));
    drop(process);
    is_gone(family).await;
}

#[tokio::test]
async fn giving_up_on_a_process_kills_its_group() {
    let folder = Folder::new();
    let process = folder.spawn(FAMILY);
    let limits = Limits::default();
    let family = tokio::select! {
        family = family(&folder) => family,
        result = process.communicate(b"", &limits) => panic!("it does not end: {result:?}"),
    };
    is_gone(family).await;
}

#[tokio::test]
async fn a_process_that_runs_too_long_is_killed_with_its_group() {
    let folder = Folder::new();
    let process = folder.spawn(FAMILY);
    let family = family(&folder).await;
    let time = Duration::from_millis(50);
    let limits = Limits { time: Some(time), ..Limits::default() };
    let result = process.communicate(b"", &limits).await;
    assert!(
        matches!(result, Err(CommunicateError::TimedOut(after)) if after == time),
        "{result:?}"
    );
    is_gone(family).await;
}

#[tokio::test]
async fn a_process_that_ends_in_time_is_not_killed() {
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let output = Folder::new().spawn("sleep 0.1; echo done").communicate(b"", &limits).await;
    assert_eq!(output.unwrap().stdout, b"done\n");
}

#[tokio::test]
async fn a_process_that_closes_its_pipes_is_waited_for() {
    let process = Folder::new().spawn("exec <&- >&- 2>&-; sleep 0.2; exit 5");
    let output = process.communicate(b"", &Limits::default()).await.unwrap();
    assert_eq!(output.status.code(), Some(5));
}

#[tokio::test]
async fn what_a_process_leaves_in_its_group_is_killed_when_it_ends() {
    let folder = Folder::new();
    let process = folder.spawn("sleep 300 & echo $! > left; echo done");
    let id = process.id();
    // The child keeps the output open until it is killed.
    let output = process.communicate(b"", &Limits::default()).await.unwrap();
    assert_eq!(output.stdout, b"done\n");
    dies(folder.id_in("left").await).await;
    is_reaped(id).await;
}

#[tokio::test]
async fn a_process_outside_of_the_group_that_keeps_the_output_open_is_an_error() {
    let folder = Folder::new();
    let script = "setsid sh -c 'echo $$ > outside; exec sleep 8' & \
                  while ! test -s outside; do sleep 0.05; done";
    let result = folder.spawn(script).communicate(b"", &Limits::default()).await;
    assert!(matches!(result, Err(CommunicateError::StillOpen)), "{result:?}");
    assert!(is_alive(folder.id_in("outside").await));
}

#[tokio::test]
async fn processes_that_end_at_the_same_time_are_all_reaped() {
    let folder = Folder::new();
    let mut runs = tokio::task::JoinSet::new();
    let mut ids = Vec::new();
    for code in 0..20 {
        let process = folder.spawn(&format!("exit {code}"));
        ids.push(process.id());
        runs.spawn(async move {
            let output = process.communicate(b"", &Limits::default()).await.unwrap();
            (output.status.code(), Some(code))
        });
    }
    for (found, expected) in runs.join_all().await {
        assert_eq!(found, expected);
    }
    for id in ids {
        is_reaped(id).await;
    }
}
