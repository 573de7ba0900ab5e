//! How many files and connections the process may have open.

/// Asks for as many as the system allows, and says how many that are; `None` if it does not tell.
///
/// Shells give programs few, because some old ones break with many. Each connection needs one.
#[cfg(unix)]
#[must_use]
pub fn allow_many_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: maximum, maximum };
    match setrlimit(Resource::Nofile, wanted) {
        Ok(()) => maximum,
        Err(_) => current,
    }
}

/// Asks for as many as the system allows.
#[cfg(not(unix))]
#[must_use]
pub fn allow_many_files() -> Option<u64> {
    None
}
