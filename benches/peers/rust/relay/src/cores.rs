//! Who runs where, and how many files may be open.

use nix::{
    sched::{CpuSet, sched_setaffinity},
    sys::resource::{Resource, getrlimit, setrlimit},
    unistd::Pid,
};

/// The core of every server.
pub(crate) const OF_SERVER: usize = 0;

/// The core of the load.
const OF_LOAD: usize = 1;

/// More connections than any case has.
const FILES: u64 = 40_000;

/// Leaves the first core to the server. On a machine with one core there is nothing to leave.
pub(crate) fn be_the_load() {
    pin(OF_LOAD);
}

/// Puts the calling thread on the core of the server.
pub(crate) fn be_the_server() {
    pin(OF_SERVER);
}

fn pin(core: usize) {
    let mut cores = CpuSet::new();
    let pinned = cores.set(core).and_then(|()| sched_setaffinity(Pid::from_raw(0), &cores));
    if let Err(error) = pinned {
        eprintln!("not pinned to core {core}: {error}");
    }
}

/// Raises the limit of open files, for us and for the servers that we start.
pub(crate) fn allow_many_files() {
    let files = Resource::RLIMIT_NOFILE;
    if setrlimit(files, FILES, FILES).is_ok() {
        return;
    }
    // Only root may raise the upper limit.
    if let Ok((_, most)) = getrlimit(files) {
        let _ = setrlimit(files, most.min(FILES), most);
    }
}
