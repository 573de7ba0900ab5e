//! Any sequence of operations, compared with a description of what should be there.

use std::collections::{BTreeMap, BTreeSet};

use assent_blobs::{BlobStore, BlobUri, DiskBlobs, MemoryBlobs, Retention};
use assent_ids::UnixMillis;
use proptest::prelude::*;

use crate::support::{Folder, meta, owner, run};

#[derive(Clone, Debug)]
enum Step {
    Put { text: u8, owner: u8, retention: Retention },
    Release { owner: u8 },
    Collect { now: u64 },
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let retention = prop_oneof![
        4 => Just(Retention::Session),
        4 => (0..100_u64).prop_map(|time| Retention::Until(UnixMillis::new(time))),
        1 => Just(Retention::Forever),
    ];
    prop_oneof![
        6 => (0..6_u8, 0..3_u8, retention)
            .prop_map(|(text, owner, retention)| Step::Put { text, owner, retention }),
        2 => (0..3_u8).prop_map(|owner| Step::Release { owner }),
        2 => (0..120_u64).prop_map(|now| Step::Collect { now }),
        1 => Just(Step::Reopen),
    ]
}

/// What should be there: for every text, the wishes that keep it.
#[derive(Default)]
struct Expected(BTreeMap<u8, Vec<(u8, Retention)>>);

impl Expected {
    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Put { text, owner, retention } => {
                self.0.entry(text).or_default().push((owner, retention));
            }
            Step::Release { owner } => {
                for wishes in self.0.values_mut() {
                    wishes.retain(|wish| *wish != (owner, Retention::Session));
                }
            }
            Step::Collect { now } => self.0.retain(|_, wishes| {
                wishes.iter().any(|(_, retention)| match retention {
                    Retention::Until(time) => now < time.get(),
                    Retention::Session | Retention::Forever => true,
                })
            }),
            Step::Reopen => {}
        }
    }

    fn texts(&self) -> BTreeSet<u8> {
        self.0.keys().copied().collect()
    }
}

fn bytes(text: u8) -> Vec<u8> {
    vec![text; usize::from(text) * 40_000]
}

async fn act(store: &dyn BlobStore, step: &Step) {
    match *step {
        Step::Put { text, owner, retention } => {
            store.put(bytes(text), meta(&owner.to_string(), retention)).await.unwrap();
        }
        Step::Release { owner: name } => store.release(owner(&name.to_string())).await.unwrap(),
        Step::Collect { now } => {
            store.collect(UnixMillis::new(now)).await.unwrap();
        }
        Step::Reopen => {}
    }
}

async fn present(store: &dyn BlobStore) -> BTreeSet<u8> {
    let mut found = BTreeSet::new();
    for text in 0..6 {
        match store.get(BlobUri::of(&bytes(text)), None).await.unwrap() {
            Some(stored) if stored == bytes(text) => found.insert(text),
            Some(_) => panic!("other bytes than were stored"),
            None => false,
        };
    }
    found
}

proptest! {
    #[test]
    fn a_store_in_memory_holds_what_it_should(steps in prop::collection::vec(step(), 0..30)) {
        let (store, mut expected) = (MemoryBlobs::new(1 << 20), Expected::default());
        for step in &steps {
            run(act(&store, step));
            expected.apply(step);
            prop_assert_eq!(run(present(&store)), expected.texts(), "after {:?}", step);
        }
    }
}

proptest! {
    // Every step waits for the disk.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_store_on_disk_holds_what_it_should(steps in prop::collection::vec(step(), 0..20)) {
        let folder = Folder::new();
        let (mut store, mut expected) = (DiskBlobs::open(folder.path()).unwrap(), Expected::default());
        for step in &steps {
            if matches!(step, Step::Reopen) {
                drop(store);
                store = DiskBlobs::open(folder.path()).unwrap();
            }
            run(act(&store, step));
            expected.apply(step);
        }
        prop_assert_eq!(run(present(&store)), expected.texts());
    }
}
