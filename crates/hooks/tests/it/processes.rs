//! Scripts for tests, and whether processes are alive.

use std::{
    collections::BTreeMap,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use assent_hooks::{CommandHook, CommandSpec, EnvValue, Terms};

/// A folder with a script of `sh` in it.
pub struct Script {
    pub folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Script {
    pub fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hook");
        std::fs::write(&path, format!("{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        Self { folder, path }
    }

    /// The shell runs the script: a file that was just written may still be open in a sibling's fork.
    pub fn argv(&self) -> [String; 2] {
        ["/bin/sh".to_owned(), self.path.display().to_string()]
    }

    /// How to start it, in its own folder.
    pub fn spec(&self) -> CommandSpec {
        let path = EnvValue::Given("/usr/local/bin:/usr/bin:/bin".to_owned());
        let [program, script] = self.argv();
        CommandSpec {
            program: program.into(),
            arguments: vec![script],
            directory: self.folder.path().into(),
            environment: BTreeMap::from([("PATH".to_owned(), path)]),
        }
    }

    pub fn hook(&self) -> CommandHook {
        self.hook_on(|_| {})
    }

    pub fn hook_on(&self, change: impl FnOnce(&mut Terms)) -> CommandHook {
        let mut terms = Terms::new("script".parse().unwrap());
        change(&mut terms);
        CommandHook::new(terms, self.spec())
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The number that the script writes into a file, as soon as it has.
    pub async fn number_in(&self, name: &str) -> u32 {
        let path = self.file(name);
        eventually(|| read_number(&path)).await
    }
}

fn read_number(path: &Path) -> Option<u32> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Waits until there is an answer.
pub async fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < patience, "it never happened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// `R`, `S`, `Z` and so on; none if there is no such process.
fn state(process: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Waits until a process has ended. It may not have been reaped yet.
pub async fn dies(process: u32) {
    eventually(|| matches!(state(process), None | Some('Z' | 'X')).then_some(())).await;
}

/// Waits until a child of ours is gone without a trace.
pub async fn is_reaped(process: u32) {
    eventually(|| state(process).is_none().then_some(())).await;
}

pub fn is_alive(process: u32) -> bool {
    !matches!(state(process), None | Some('Z' | 'X'))
}
