//! What every store must do, run on each of them.

use assent_blobs::{
    About, BlobMeta, BlobRef, BlobStore, BlobUri, Collected, DiskBlobs, MemoryBlobs, Retention,
};
use assent_ids::UnixMillis;
use assent_json::Digest;

use crate::support::{Folder, meta, owner, run};

/// Runs each of these functions as a test of each store.
macro_rules! conformance {
    ($($name:ident)+) => {
        mod memory {
            $(#[test] fn $name() { super::on_memory(|store| Box::pin(super::$name(store))); })+
        }
        mod disk {
            $(#[test] fn $name() { super::on_disk(|store| Box::pin(super::$name(store))); })+
        }
    };
}

conformance! {
    what_was_stored_comes_back
    a_name_is_the_digest_of_the_bytes
    what_was_never_stored_is_absent
    a_part_can_be_read
    no_bytes_at_all_can_be_stored
    the_same_bytes_are_stored_once
    the_first_type_stays
    a_session_keeps_until_it_is_released
    a_term_keeps_until_it_ends
    forever_keeps
    shared_bytes_live_until_the_last_owner_lets_go
    a_collection_counts_what_it_does
    what_was_thrown_away_can_be_stored_again
    releasing_a_stranger_changes_nothing
}

type Test = for<'s> fn(&'s dyn BlobStore) -> std::pin::Pin<Box<dyn Future<Output = ()> + 's>>;

fn on_memory(test: Test) {
    run(test(&MemoryBlobs::new(1 << 20)));
}

fn on_disk(test: Test) {
    let folder = Folder::new();
    run(test(&DiskBlobs::open(folder.path()).unwrap()));
}

fn at(millis: u64) -> UnixMillis {
    UnixMillis::new(millis)
}

async fn what_was_stored_comes_back(store: &dyn BlobStore) {
    let bytes: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    let blob = store.put(bytes.clone(), meta("a", Retention::Session)).await.unwrap();
    assert_eq!(blob.size, 200_000);
    assert_eq!(store.get(blob.uri, None).await.unwrap(), Some(bytes));
}

async fn a_name_is_the_digest_of_the_bytes(store: &dyn BlobStore) {
    let blob = store.put(b"assent".to_vec(), meta("a", Retention::Session)).await.unwrap();
    assert_eq!(blob.digest(), Digest::of(b"assent"));
    assert_eq!(blob.uri.to_string(), format!("blob:sha256:{}", Digest::of(b"assent")));
}

async fn what_was_never_stored_is_absent(store: &dyn BlobStore) {
    let uri = BlobUri::of(b"nobody stored this");
    assert_eq!(store.get(uri, None).await.unwrap(), None);
    assert_eq!(store.about(uri).await.unwrap(), None);
    assert_eq!(store.collect(at(0)).await.unwrap(), Collected::default());
}

async fn a_part_can_be_read(store: &dyn BlobStore) {
    let bytes: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let blob = store.put(bytes.clone(), meta("a", Retention::Session)).await.unwrap();
    let part = |range: std::ops::Range<u64>| store.get(blob.uri, Some(range));
    assert_eq!(part(0..0).await.unwrap(), Some(Vec::new()));
    assert_eq!(part(65_530..65_545).await.unwrap(), Some(bytes[65_530..65_545].to_vec()));
    assert_eq!(part(65_536..131_072).await.unwrap(), Some(bytes[65_536..131_072].to_vec()));
    assert_eq!(part(799_990..u64::MAX).await.unwrap(), Some(bytes[799_990..].to_vec()));
    assert_eq!(part(800_000..900_000).await.unwrap(), Some(Vec::new()));
}

async fn no_bytes_at_all_can_be_stored(store: &dyn BlobStore) {
    let blob = store.put(Vec::new(), meta("a", Retention::Session)).await.unwrap();
    assert_eq!(blob, BlobRef { uri: BlobUri::of(b""), size: 0 });
    assert_eq!(store.get(blob.uri, None).await.unwrap(), Some(Vec::new()));
}

async fn the_same_bytes_are_stored_once(store: &dyn BlobStore) {
    let first = store.put(b"twice".to_vec(), meta("a", Retention::Session)).await.unwrap();
    let second = store.put(b"twice".to_vec(), meta("b", Retention::Forever)).await.unwrap();
    assert_eq!(first, second);
    assert_eq!(store.collect(at(0)).await.unwrap().kept, 1);
}

async fn the_first_type_stays(store: &dyn BlobStore) {
    let put = |media_type| {
        store.put(b"{}".to_vec(), BlobMeta::new(media_type, owner("a"), Retention::Session))
    };
    let blob = put("application/json").await.unwrap();
    put("text/plain").await.unwrap();
    let expected = About { blob, media_type: "application/json".into() };
    assert_eq!(store.about(blob.uri).await.unwrap(), Some(expected));
}

async fn a_session_keeps_until_it_is_released(store: &dyn BlobStore) {
    let blob = store.put(b"s".to_vec(), meta("a", Retention::Session)).await.unwrap();
    store.collect(UnixMillis::MAX).await.unwrap();
    assert!(store.get(blob.uri, None).await.unwrap().is_some());
    store.release(owner("a")).await.unwrap();
    assert!(store.get(blob.uri, None).await.unwrap().is_some(), "it goes when it is collected");
    store.collect(at(0)).await.unwrap();
    assert_eq!(store.get(blob.uri, None).await.unwrap(), None);
}

async fn a_term_keeps_until_it_ends(store: &dyn BlobStore) {
    let blob = store.put(b"t".to_vec(), meta("a", Retention::Until(at(1000)))).await.unwrap();
    store.release(owner("a")).await.unwrap();
    store.collect(at(999)).await.unwrap();
    assert!(store.get(blob.uri, None).await.unwrap().is_some());
    store.collect(at(1000)).await.unwrap();
    assert_eq!(store.get(blob.uri, None).await.unwrap(), None);
}

async fn forever_keeps(store: &dyn BlobStore) {
    let blob = store.put(b"f".to_vec(), meta("a", Retention::Forever)).await.unwrap();
    store.release(owner("a")).await.unwrap();
    store.collect(UnixMillis::MAX).await.unwrap();
    assert!(store.get(blob.uri, None).await.unwrap().is_some());
}

async fn shared_bytes_live_until_the_last_owner_lets_go(store: &dyn BlobStore) {
    let retentions = [
        ("a", Retention::Session),
        ("b", Retention::Session),
        ("c", Retention::Until(at(500))),
        ("d", Retention::Until(at(100))),
    ];
    let mut blob = None;
    for (name, retention) in retentions {
        blob = Some(store.put(b"shared".to_vec(), meta(name, retention)).await.unwrap());
    }
    let uri = blob.unwrap().uri;
    store.release(owner("a")).await.unwrap();
    store.collect(at(1000)).await.unwrap();
    assert!(store.get(uri, None).await.unwrap().is_some(), "b is left");
    store.release(owner("b")).await.unwrap();
    store.collect(at(499)).await.unwrap();
    assert!(store.get(uri, None).await.unwrap().is_some(), "c is left");
    store.collect(at(500)).await.unwrap();
    assert_eq!(store.get(uri, None).await.unwrap(), None);
}

async fn a_collection_counts_what_it_does(store: &dyn BlobStore) {
    for (text, retention) in [
        ("ab", Retention::Until(at(1))),
        ("cde", Retention::Until(at(1))),
        ("f", Retention::Until(at(9))),
    ] {
        store.put(text.into(), meta("a", retention)).await.unwrap();
    }
    let expected = Collected { removed: 2, kept: 1, bytes: 5 };
    assert_eq!(store.collect(at(5)).await.unwrap(), expected);
    assert_eq!(store.collect(at(5)).await.unwrap(), Collected { kept: 1, ..Default::default() });
}

async fn what_was_thrown_away_can_be_stored_again(store: &dyn BlobStore) {
    let put = |until| store.put(b"again".to_vec(), meta("a", Retention::Until(at(until))));
    let blob = put(1).await.unwrap();
    store.collect(at(5)).await.unwrap();
    assert_eq!(put(10).await.unwrap(), blob);
    store.collect(at(5)).await.unwrap();
    assert_eq!(store.get(blob.uri, None).await.unwrap(), Some(b"again".to_vec()));
}

async fn releasing_a_stranger_changes_nothing(store: &dyn BlobStore) {
    let blob = store.put(b"mine".to_vec(), meta("a", Retention::Session)).await.unwrap();
    store.release(owner("stranger")).await.unwrap();
    store.collect(UnixMillis::MAX).await.unwrap();
    assert!(store.get(blob.uri, None).await.unwrap().is_some());
}
