//! Folders that go away, and a runtime.

use std::{
    fs,
    future::Future,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use assent_blobs::{BlobMeta, Owner, Retention};

/// A folder that is removed when it is not needed any more.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("blobs-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// All files in it, at any depth, with paths from its root.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.0.clone()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    found.push(path.strip_prefix(&self.0).unwrap().display().to_string());
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

pub(crate) fn owner(name: &str) -> Owner {
    Owner::new(name).unwrap()
}

pub(crate) fn meta(name: &str, retention: Retention) -> BlobMeta {
    BlobMeta::new("text/plain", owner(name), retention)
}
