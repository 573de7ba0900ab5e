//! A disk that is full, and one that does not keep what it is given: no false acknowledgement, and no
//! restart when it is well again.

use std::{fs, path::Path, process::Command, time::Duration};

use assent_test_relay::{Relay, Socket};
use tempfile::TempDir;
use tokio::time::sleep;

use crate::{
    ASSENT,
    faulty_disk::{Fault, FaultyDisk},
    load::{Load, history},
    preload,
};

/// A small file system in memory, unmounted at the end.
struct SmallDisk {
    directory: TempDir,
}

impl SmallDisk {
    fn mount(megabytes: u32) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"])
            .arg(directory.path())
            .status()
            .unwrap();
        assert!(mounted.success(), "a small disk needs the right to mount one");
        Self { directory }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.directory.path()).status();
    }
}

/// Waits until something is refused for want of storage.
pub(crate) async fn until_unavailable(load: &Load) {
    for _ in 0..600 {
        if load.seen().unavailable > 0 {
            return;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("nothing was refused");
}

/// Waits until more was acknowledged than before.
pub(crate) async fn until_well(load: &Load) {
    let before = load.seen().acknowledged.len();
    for _ in 0..200 {
        if load.seen().acknowledged.len() > before + 10 {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not recover");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_said_to_be_full_and_nothing_is_lost() {
    let disk = SmallDisk::mount(24);
    let relay = Relay::start(ASSENT, disk.path(), &[], &[]).await;
    let mut load = Load::prepare(relay.address).await;
    load.start(4);
    sleep(Duration::from_millis(300)).await;
    let ballast = disk.path().join("ballast");
    // As much as there is room for.
    let _ = fs::write(&ballast, vec![0_u8; 64 << 20]);
    until_unavailable(&load).await;
    let ready = relay.address.call(http::Method::GET, "/health", None, None).await.unwrap();
    assert!(ready.status.is_success(), "the process is well");
    fs::remove_file(&ballast).unwrap();
    until_well(&load).await;
    let seen = load.finish(relay.address, Duration::from_secs(20)).await;
    assert!(seen.unavailable > 0);
    relay.kill().await;
}

/// Makes `fdatasync` and `fsync` fail while a file exists.
const FAILING_SYNC: &str = r#"
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdlib.h>
    #include <unistd.h>
    static int failing(void) {
        const char *file = getenv("FAIL_SYNC");
        return file && access(file, F_OK) == 0;
    }
    #define WRAP(name) int name(int fd) { \
        static int (*real)(int); \
        if (failing()) { errno = EIO; return -1; } \
        if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #name); \
        return real(fd); }
    WRAP(fsync)
    WRAP(fdatasync)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_does_not_sync_is_never_answered_for() {
    let tools = tempfile::tempdir().unwrap();
    let data = tempfile::tempdir().unwrap();
    let library = preload::build(tools.path(), FAILING_SYNC);
    let switch = tools.path().join("fail");
    let environment =
        [("LD_PRELOAD", library.to_str().unwrap()), ("FAIL_SYNC", switch.to_str().unwrap())];
    let relay = Relay::start(ASSENT, data.path(), &[], &environment).await;
    let mut load = Load::prepare(relay.address).await;
    load.start(4);
    for _ in 0..5 {
        sleep(Duration::from_millis(200)).await;
        load.seen().unavailable = 0;
        fs::write(&switch, "").unwrap();
        until_unavailable(&load).await;
        let before = load.seen().acknowledged.len();
        sleep(Duration::from_millis(200)).await;
        // What was on its way when the switch was thrown may have been answered for.
        assert!(load.seen().acknowledged.len() <= before + 4, "answered without a sync");
        fs::remove_file(&switch).unwrap();
        until_well(&load).await;
    }
    let cursor = load.seen().cursor;
    let token = load.agent.token.clone();
    let seen = load.finish(relay.address, Duration::from_secs(20)).await;
    assert!(!seen.acknowledged.is_empty());
    assert!(Socket::connect(relay.address, "agent", &token, Some(cursor)).await.is_ok());
    relay.kill().await;
}

/// How many batches of messages were accepted and are not in their tables.
fn unfiled(data: &Path) -> u64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let file = rusqlite::Connection::open_with_flags(data.join("relay.db"), flags).unwrap();
    file.query_row("SELECT count(*) FROM unfiled", (), |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_disk_takes_nothing_everything_that_was_acknowledged_can_be_read() {
    let (disk, data) = (FaultyDisk::new("/relay.db"), tempfile::tempdir().unwrap());
    let environment = disk.environment();
    let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
    let relay = Relay::start(ASSENT, data.path(), &[], &environment).await;
    let mut load = Load::prepare(relay.address).await;
    load.start(4);
    let mut seen_unfiled = false;
    for _ in 0..5 {
        until_well(&load).await;
        load.seen().unavailable = 0;
        disk.fail(Fault::TakesNothing);
        until_unavailable(&load).await;
        seen_unfiled |= unfiled(data.path()) > 0;
        let acknowledged = load.seen().acknowledged.clone();
        let places = history(relay.address, &load.person, &load.relation).await;
        for (id, place) in &acknowledged {
            assert_eq!(places.get(id), Some(place), "{id}");
        }
        // The agent as well, as far as it need not be noted what it has.
        let token = Some(load.agent.token.as_str());
        let path = "/h2a/events?after=0&limit=1";
        let events = relay.address.call(http::Method::GET, path, token, None).await.unwrap();
        assert_eq!(events.data().as_array().unwrap().len(), 1);
        let path = format!("/agents/{}", load.agent.agent_id);
        let agent = relay.address.call(http::Method::GET, &path, token, None).await.unwrap();
        assert_eq!(agent.status, 200, "{agent:?}");
        assert!(load.seen().unavailable > 0, "it still takes nothing");
        disk.heal();
    }
    assert!(seen_unfiled, "everything was filed whenever the disk began to fail");
    until_well(&load).await;
    load.finish(relay.address, Duration::from_secs(20)).await;
    relay.kill().await;
}
