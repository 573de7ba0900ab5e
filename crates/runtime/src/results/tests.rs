//! From what a tool gave back to the record, as the standard's checklist wants it.

mod errors;
mod flow;
mod mapping;
mod records;

use assent_blobs::{MemoryBlobs, Owner, Retention};
use assent_ids::{GeneratedId, InvocationId, PersistenceId, ResultId, Ulid, UnixMillis};
use assent_protocol::agent_tool::{ContentBlock, PersistenceStrategy, TerminalStatus};

use super::{
    Choice, Filing, Mapped, PersistedResult, PersistencePolicy, Redacted, ResultDraft, Scrubber,
    persist,
};
use crate::executor::Body;

const NOW: UnixMillis = UnixMillis::new(1_800_000_000_000);

fn id<Id: GeneratedId>(number: u128) -> Id {
    Id::from_ulid(Ulid::from_bits(number))
}

fn filing() -> Filing {
    Filing {
        decision_id: id::<PersistenceId>(1),
        invocation_id: id::<InvocationId>(2),
        result_id: id::<ResultId>(3),
        at: NOW,
        owner: Some(Owner::new("session").unwrap()),
        retention: Retention::Session,
    }
}

fn redacted(body: Body, secrets: &[&str]) -> Redacted {
    let scrubber = Scrubber::new(secrets.iter().map(|secret| (*secret).to_owned()));
    Redacted::new(Mapped::of(body, None).unwrap(), Some(&scrubber), None)
}

fn limit(chars: usize, strategy: Option<PersistenceStrategy>) -> PersistencePolicy {
    PersistencePolicy { max_inline_chars: Some(chars), strategy, ..PersistencePolicy::default() }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Everything between the output and the record, with a store of `room` bytes.
fn persisted_in(
    room: usize,
    body: Body,
    policy: &PersistencePolicy,
    secrets: &[&str],
) -> (PersistedResult, MemoryBlobs) {
    let result = redacted(body, secrets);
    let choice = Choice::new(policy, &result, false);
    let store = MemoryBlobs::new(room);
    (run(persist(result, choice, &store, filing())), store)
}

fn persisted(body: Body, policy: &PersistencePolicy) -> PersistedResult {
    persisted_in(1 << 24, body, policy, &[]).0
}

fn draft(end: TerminalStatus) -> ResultDraft {
    ResultDraft::new(id(3), id(2), NOW, end)
}

fn text_of(blocks: &[ContentBlock]) -> String {
    blocks.iter().filter_map(|block| block.text.clone()).collect::<Vec<_>>().join("\n")
}
