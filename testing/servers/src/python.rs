//! A Python that has certain packages, for tests against the libraries that others use.

use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    process::Command,
};

/// A Python with `packages`, given as `name==version`, in an environment of its own below `folder` that is
/// made once. Without Python or a registry the test fails.
///
/// # Panics
///
/// If the environment cannot be made.
#[must_use]
pub fn python_with(folder: &Path, packages: &[&str]) -> PathBuf {
    let folder = folder.join("python").join(name(packages));
    fs::create_dir_all(&folder).unwrap();
    // Tests are processes of their own: one makes it, the others wait.
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let python = folder.join("environment/bin/python");
    let done = folder.join("done");
    if !done.exists() {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(folder.join("environment")));
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages));
        fs::write(done, "").unwrap();
    }
    python
}

/// A name for these packages and no others, short enough for a folder.
fn name(packages: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    packages.hash(&mut hasher);
    let first = packages.first().copied().unwrap_or_default().replace("==", "-");
    format!("{first}-{:016x}", hasher.finish())
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?} cannot be started ({error}): this test needs python3 with venv and pip")
    });
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {told}");
}
