//! Many calls at once.

use std::{sync::Arc, time::Duration};

use assent_journal::Journal as _;
use assent_test_journal::Audited;
use serde_json::json;

use crate::desk::{Desk, Echo, Yes, allow_all, reader, request, writer};

#[tokio::test(start_paused = true)]
async fn a_hanging_tool_and_a_hanging_person_block_no_other_call() {
    let hanging = Arc::new(Echo { hangs: true, ..Echo::default() });
    let desk = Desk::new(
        vec![
            (reader("hang"), hanging),
            (writer("ask"), Arc::new(Echo::default())),
            (reader("read"), Arc::new(Echo::default())),
        ],
        |builder| builder.approver(Yes::new(None)).approval_timeout(Duration::from_secs(3600)),
    );
    for tool in ["hang", "ask"] {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move { runtime.call(request(tool, json!({"path": "a"}))).await });
    }
    tokio::task::yield_now().await;
    let start = tokio::time::Instant::now();
    for _ in 0..100 {
        let result = desk.call("read", json!({"path": "a"})).await;
        assert_eq!(result.status.as_str(), "succeeded");
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_at_once_all_end_once() {
    let tool = Arc::new(Echo { takes: Some(Duration::from_millis(5)), ..Echo::default() });
    let desk = Desk::new(vec![(writer("write"), tool)], |builder| builder.policy(allow_all()));
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1000 {
        let runtime = desk.runtime.clone();
        calls.spawn(async move {
            runtime.call(request("write", json!({"path": number.to_string()}))).await
        });
    }
    let mut count = 0;
    while let Some(result) = calls.join_next().await {
        assert_eq!(result.unwrap().status.as_str(), "succeeded");
        count += 1;
    }
    assert_eq!(count, 1000);
}

/// The limit of the journal: far fewer entries than the calls write.
#[cfg(target_os = "linux")]
const ENTRIES: usize = 1 << 14;

/// The memory of this process, in MiB.
#[cfg(target_os = "linux")]
fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn a_hundred_thousand_calls_leave_no_more_behind_than_five_thousand() {
    let tool = Arc::new(Echo::default());
    let desk = Desk::on(Audited::forgetting(ENTRIES), vec![(writer("write"), tool)], |builder| {
        builder.policy(allow_all())
    });
    let call = |number: u64| desk.call("write", json!({"path": number.to_string()}));
    for number in 0..5_000 {
        call(number).await;
    }
    let before = resident_mib();
    for number in 5_000..100_000 {
        assert_eq!(call(number).await.status.as_str(), "succeeded");
    }
    let grown = resident_mib().saturating_sub(before);
    assert!(grown < 8, "it has grown by {grown} MiB");
    let saved = desk.journal.saved_states().await.unwrap();
    assert_eq!(saved, [], "no state is saved for calls that ended");
}
