//! Tests of `read_file`.

mod cases;
mod corpus;
mod properties;
mod races;

use std::{
    fs,
    path::{Path, PathBuf},
};

use assent_json::Json;
use assent_runtime::Executor;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ReadFile, Roots, read};

/// A folder `root` that may be read, beside a file `secret` and a folder `root_evil` that may not, with the data
/// of the device in `root/data`.
struct Disk {
    folder: TempDir,
}

impl Disk {
    fn new() -> Self {
        let disk = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["root/a", "root/data", "root_evil"] {
            fs::create_dir_all(disk.path(folder)).unwrap();
        }
        for (file, content) in [
            ("secret", "SECRET"),
            ("root_evil/file", "SECRET"),
            ("root/data/device.db", "SECRET"),
            ("root/notes.md", "inside"),
            ("root/a/b.txt", "inside too"),
        ] {
            fs::write(disk.path(file), content).unwrap();
        }
        disk
    }

    fn path(&self, path: &str) -> PathBuf {
        // The folder for temporary files may itself be behind a link.
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn text(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    fn roots(&self, folders: &[&str]) -> Roots {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| self.path(folder)).collect();
        Roots::new(&folders, &self.path("root/data")).unwrap()
    }

    fn link(&self, target: &Path, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }
}

fn input(input: &Value) -> Json {
    Json::from_value(input).unwrap()
}

/// Calls the tool as the pipeline does: the result, or the class or code of the refusal.
fn call(roots: &Roots, arguments: &Value) -> Result<Value, String> {
    let input = input(arguments);
    let refused = ReadFile::new(roots.clone()).preflight(&input).err();
    match (refused, read(roots, &input, None)) {
        (None, Ok(result)) => Ok(result.to_value()),
        (None, Err(failure)) => {
            Err(failure.code.unwrap_or_else(|| failure.class.as_str().to_owned()))
        }
        (Some(refusal), run) => {
            assert_eq!(run.unwrap_err().class, refusal.class, "both refuse it");
            Err(refusal.class.as_str().to_owned())
        }
    }
}

fn read_path(roots: &Roots, path: &str) -> Result<Value, String> {
    call(roots, &json!({"path": path}))
}
