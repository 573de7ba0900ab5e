//! What a store on disk must survive, and what only a store in memory does.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use assent_blobs::{
    BlobError, BlobRef, BlobStore, BlobUri, Collected, DiskBlobs, MemoryBlobs, Retention,
};
use assent_ids::UnixMillis;

use crate::support::{Folder, meta, owner, run};

fn open(folder: &Folder) -> DiskBlobs {
    DiskBlobs::open(folder.path()).unwrap()
}

fn stored(folder: &Folder, bytes: &[u8]) -> BlobRef {
    run(open(folder).put(bytes.to_vec(), meta("a", Retention::Session))).unwrap()
}

fn bytes_file(folder: &Folder, uri: BlobUri) -> PathBuf {
    let digest = uri.digest().to_string();
    folder.path().join(&digest[..2]).join(&digest[2..4]).join(digest)
}

#[test]
fn bytes_and_retention_survive_the_end_of_the_process() {
    let folder = Folder::new();
    let blob = stored(&folder, b"durable");
    let store = open(&folder);
    run(store.collect(UnixMillis::MAX)).unwrap();
    assert_eq!(run(store.get(blob.uri, None)).unwrap(), Some(b"durable".to_vec()));
    run(store.release(owner("a"))).unwrap();
    drop(store);
    let store = open(&folder);
    run(store.collect(UnixMillis::new(0))).unwrap();
    assert_eq!(run(store.get(blob.uri, None)).unwrap(), None);
}

#[test]
fn a_damaged_blob_is_reported_and_never_returned() {
    let folder = Folder::new();
    let blob = stored(&folder, b"the truth");
    let path = bytes_file(&folder, blob.uri);
    for damage in [&b"the lies!"[..], b"the trut", b"the truth and more", b""] {
        fs::write(&path, damage).unwrap();
        for range in [None, Some(0..3), Some(0..0)] {
            let error = run(open(&folder).get(blob.uri, range)).unwrap_err();
            assert!(matches!(error, BlobError::Corrupted { uri } if uri == blob.uri));
        }
    }
}

#[test]
fn storing_the_bytes_again_heals_a_damaged_blob() {
    let folder = Folder::new();
    let blob = stored(&folder, b"the truth");
    fs::write(bytes_file(&folder, blob.uri), b"the lies!").unwrap();
    assert_eq!(stored(&folder, b"the truth"), blob);
    assert_eq!(run(open(&folder).get(blob.uri, None)).unwrap(), Some(b"the truth".to_vec()));
}

#[test]
fn unfinished_files_are_swept_when_the_store_is_opened() {
    let folder = Folder::new();
    drop(open(&folder));
    let left = folder.path().join("temporary/7");
    fs::write(&left, b"half a bl").unwrap();
    drop(open(&folder));
    assert!(!left.exists());
}

#[test]
fn bytes_without_a_label_are_collected() {
    let folder = Folder::new();
    let blob = stored(&folder, b"cut off after the bytes");
    fs::remove_file(bytes_file(&folder, blob.uri).with_extension("label")).unwrap();
    let store = open(&folder);
    let collected = run(store.collect(UnixMillis::new(0))).unwrap();
    assert_eq!(collected, Collected { removed: 1, kept: 0, bytes: blob.size });
}

#[test]
fn a_label_without_bytes_is_collected_and_keeps_nothing_alive() {
    let folder = Folder::new();
    let blob = stored(&folder, b"lost");
    fs::remove_file(bytes_file(&folder, blob.uri)).unwrap();
    let store = open(&folder);
    assert_eq!(run(store.get(blob.uri, None)).unwrap(), None);
    assert_eq!(run(store.about(blob.uri)).unwrap(), None);
    assert_eq!(run(store.collect(UnixMillis::new(0))).unwrap(), Collected::default());
    assert_eq!(folder.files(), ["lock"]);
}

#[test]
fn a_blob_with_a_damaged_label_is_kept() {
    let folder = Folder::new();
    let blob = stored(&folder, b"whose is it?");
    fs::write(bytes_file(&folder, blob.uri).with_extension("label"), b"{\"media").unwrap();
    let store = open(&folder);
    run(store.release(owner("a"))).unwrap();
    assert_eq!(run(store.collect(UnixMillis::MAX)).unwrap().kept, 1);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new();
    let blob = stored(&folder, b"ours");
    let beside = bytes_file(&folder, blob.uri).with_file_name("notes.txt");
    fs::write(&beside, b"theirs").unwrap();
    fs::write(folder.path().join("ff"), b"a file where a folder should be").unwrap();
    let store = open(&folder);
    run(store.release(owner("a"))).unwrap();
    assert_eq!(run(store.collect(UnixMillis::new(0))).unwrap().removed, 1);
    assert!(beside.exists());
}

#[test]
fn a_store_is_open_in_one_place_at_a_time() {
    let folder = Folder::new();
    let store = open(&folder);
    let error = DiskBlobs::open(folder.path()).unwrap_err();
    assert!(matches!(&error, BlobError::InUse { path } if path == folder.path()), "{error}");
    drop(store);
    open(&folder);
}

#[test]
fn a_store_is_made_with_all_the_folders_above_it() {
    let folder = Folder::new();
    DiskBlobs::open(folder.path().join("a/b")).unwrap();
    assert_eq!(folder.files(), ["a/b/lock"]);
}

#[test]
fn only_the_owner_can_read_what_is_stored() {
    let folder = Folder::new();
    stored(&folder, b"private");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = folder.files();
    assert_eq!(files.len(), 3, "{files:?}");
    for file in files {
        let path = folder.path().join(&file);
        assert_eq!(mode(&path), 0o600, "{file}");
        for above in path.ancestors().skip(1).take_while(|above| above.starts_with(folder.path())) {
            assert_eq!(mode(above), 0o700, "{}", above.display());
        }
    }
}

#[test]
fn the_same_bytes_are_one_file() {
    let folder = Folder::new();
    stored(&folder, b"once");
    let files = folder.files();
    stored(&folder, b"once");
    assert_eq!(folder.files(), files);
}

#[test]
fn a_disk_that_refuses_is_an_error_and_not_a_panic() {
    let folder = Folder::new();
    let store = open(&folder);
    fs::remove_dir_all(folder.path()).unwrap();
    fs::write(folder.path(), b"no folder any more").unwrap();
    let error = run(store.put(b"x".to_vec(), meta("a", Retention::Session))).unwrap_err();
    assert!(matches!(error, BlobError::Disk { .. }), "{error}");
    fs::remove_file(folder.path()).unwrap();
}

#[test]
fn a_store_works_without_a_runtime() {
    let folder = Folder::new();
    let store = open(&folder);
    let mut put = store.put(b"plain".to_vec(), meta("a", Retention::Session));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(put.as_mut().poll(&mut context).is_ready());
}

#[test]
fn stores_of_the_same_bytes_at_once_do_not_disturb_each_other() {
    let folder = Folder::new();
    let store = open(&folder);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let uris: Vec<BlobUri> = runtime.block_on(async {
        let tasks: Vec<_> = (0..32_u8)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move {
                    let name = number.to_string();
                    let put = store.put(vec![number % 4; 1000], meta(&name, Retention::Session));
                    let blob = put.await.unwrap();
                    store.collect(UnixMillis::MAX).await.unwrap();
                    blob.uri
                })
            })
            .collect();
        let mut uris = Vec::new();
        for task in tasks {
            uris.push(task.await.unwrap());
        }
        uris
    });
    for uri in uris {
        assert!(run(store.get(uri, None)).unwrap().is_some());
    }
    assert_eq!(run(store.collect(UnixMillis::new(0))).unwrap().kept, 4);
}

#[test]
fn a_store_in_memory_holds_exactly_its_limit() {
    let store = MemoryBlobs::new(10);
    run(store.put(b"0123456789".to_vec(), meta("a", Retention::Until(UnixMillis::new(1)))))
        .unwrap();
    let put = |text: &str| run(store.put(text.into(), meta("b", Retention::Session)));
    assert!(matches!(put("x").unwrap_err(), BlobError::Full { limit: 10 }));
    put("0123456789").unwrap();
    run(store.release(owner("b"))).unwrap();
    run(store.collect(UnixMillis::new(1))).unwrap();
    put("x").unwrap();
    assert!(!format!("{store:?}").contains('x'));
}
