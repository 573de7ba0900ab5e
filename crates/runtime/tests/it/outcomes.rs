//! What came of a call is known from the moment at which its tool has finished, whatever happens to those who look at it.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::{
    UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_journal::{Journal, MemoryJournal, Seq, check};
use assent_protocol::agent_tool::{ErrorClass, HookEvent};
use assent_runtime::{
    Body, Call, Catalog, Effects, Execution, Executor, Failure, Hook, HookEffects, HookMoment,
    Hooks, Output, Runtime,
};
use serde_json::json;

use crate::{
    actors::{hook, hooks},
    desk::{allow_all, class, reader, request},
    story::as_value,
};

/// Pays, or cannot; either way it must not be done twice.
struct Pays {
    runs: AtomicU64,
    fails: bool,
}

impl Executor for Pays {
    fn execute<'a>(&'a self, _: &'a Call) -> Execution<'a> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        Box::pin(async {
            if self.fails {
                return Err(Failure::new(ErrorClass::ExecutionFailed, "the account is empty"));
            }
            Ok(Output { body: Body::Text("paid".to_owned()), ..Output::default() })
        })
    }
}

/// A hook that never comes to an end.
struct Hangs;

impl Hook for Hangs {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(pending())
    }
}

fn looking(event: HookEvent, hangs: bool) -> Hooks {
    let mut looks = hook("looks", event, |_| Ok(HookEffects::default()));
    looks.timeout = Duration::from_secs(600);
    if hangs {
        looks.hook = Arc::new(Hangs);
    }
    hooks([looks])
}

fn started(
    journal: &Arc<MemoryJournal>,
    pays: &Arc<Pays>,
    resumes: bool,
    (seed, hooks): (u64, Hooks),
) -> Runtime {
    let mut tool = reader("pay");
    tool.execution.supports_resume = Some(resumes);
    let mut catalog = Catalog::new();
    catalog.register(tool, Arc::clone(pays) as _).unwrap();
    Runtime::builder()
        .clock(Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000 + seed))))
        .entropy(Arc::new(SeededEntropy::new(seed)))
        .journal(Arc::clone(journal) as _)
        .policy(allow_all())
        .catalog(catalog)
        .hooks(hooks)
        .build()
        .unwrap()
}

async fn check_crash(event: HookEvent, resumes: bool, fails: bool) {
    let journal = Arc::new(MemoryJournal::default());
    let pays = Arc::new(Pays { runs: AtomicU64::new(0), fails });
    let before = started(&journal, &pays, resumes, (1, looking(event, true)));
    // It goes on hanging: that is what the journal of a process looks like that is gone.
    let hanging =
        tokio::spawn(async move { before.call(request("pay", json!({"path": "a"}))).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let after = started(&journal, &pays, resumes, (2, looking(event, false)));
    let mut results = after.resume().await.unwrap().all().await;
    let (_, result) = results.pop().unwrap();
    let case = format!("{event}, resumes: {resumes}");
    assert_eq!(pays.runs.load(Ordering::SeqCst), 1, "{case}");
    if fails {
        assert_eq!(class(&result).as_deref(), Some("execution_failed"), "{case}");
        assert!(as_value(&result).to_string().contains("the account is empty"), "{case}");
    } else {
        assert_eq!(result.status.as_str(), "succeeded", "{case}");
        assert!(as_value(&result).to_string().contains("paid"), "{case}");
    }
    let entries = journal.read(Seq(1), usize::MAX).await.unwrap();
    assert_eq!(check(entries.iter().map(|entry| &**entry)), Ok(()), "{case}");
    hanging.abort();
}

#[tokio::test(start_paused = true)]
async fn a_crash_while_hooks_look_at_an_outcome_neither_loses_it_nor_repeats_the_call() {
    for resumes in [false, true] {
        check_crash(HookEvent::PostToolUse, resumes, false).await;
        check_crash(HookEvent::ResultPersistence, resumes, false).await;
        check_crash(HookEvent::PostToolUseFailure, resumes, true).await;
    }
}
