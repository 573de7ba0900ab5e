//! The folders beneath which files may be read.

use std::path::{Path, PathBuf};

use assent_runtime::Refusal;

use super::open::{self, Identity, Opened, Problem};
use crate::arguments::{invalid, not_set_up, outside};

/// The folders that the owner chose, and the folder of the device's own data, in which nothing is read.
#[derive(Clone, Debug)]
pub struct Roots {
    /// Longer paths first: of nested roots, the inner one counts.
    roots: Vec<Root>,
    data: Identity,
}

#[derive(Clone, Debug)]
struct Root {
    /// The path without links.
    path: String,
    /// The path as the owner wrote it.
    given: String,
}

/// Why a folder cannot be a root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// It is not an absolute path in UTF-8.
    #[error("the folder must be an absolute path in UTF-8")]
    BadPath,
    /// There is no such folder.
    #[error("there is no folder `{0}`")]
    Missing(String),
    /// The folder belongs to the device's own data.
    #[error("`{0}` holds the data of the device itself; choose another folder")]
    Data(String),
}

impl Roots {
    /// Checks the folders. `data` is the folder of the device's own data. Without folders, every call is
    /// refused with `setup_required`.
    ///
    /// # Errors
    /// If a folder cannot be a root, or the data folder does not exist.
    pub fn new(folders: &[PathBuf], data: &Path) -> Result<Self, RootError> {
        let data_path = canonical(data)?;
        let identity = open::identity_of_folder(&data_path)
            .map_err(|_| RootError::Missing(data_path.clone()))?;
        let mut roots: Vec<Root> = Vec::new();
        for folder in folders {
            let given = folder.to_str().filter(|_| folder.is_absolute());
            let given = given.ok_or(RootError::BadPath)?.to_owned();
            let path = canonical(folder)?;
            if !folder.is_dir() {
                return Err(RootError::Missing(given));
            }
            if Path::new(&path).starts_with(&data_path) {
                return Err(RootError::Data(given));
            }
            roots.push(Root { path, given });
        }
        roots.sort_by_key(|root| std::cmp::Reverse(root.path.len()));
        Ok(Self { roots, data: identity })
    }

    /// Finds the root of a path by its text. Nothing is opened.
    pub(super) fn locate(&self, path: &str) -> Result<Located<'_>, Refusal> {
        let [first, others @ ..] = self.roots.as_slice() else {
            return Err(not_set_up("no folder was chosen from which files may be read"));
        };
        if path.is_empty() || path.contains('\0') {
            return Err(invalid("`path` is empty or has a null character"));
        }
        if path.starts_with('/') {
            let components = normalized(path, true).unwrap_or_default();
            let found = self.roots.iter().find_map(|root| {
                let relative = root.strip(&components)?;
                Some(Located { root, relative, data: &self.data })
            });
            return found.ok_or_else(outside_of_all);
        }
        if !others.is_empty() {
            return Err(invalid("there are several folders: `path` must be absolute"));
        }
        let relative = normalized(path, false).ok_or_else(outside_of_all)?;
        Ok(Located { root: first, relative: owned(&relative), data: &self.data })
    }
}

impl Root {
    /// The rest of an absolute path below this root.
    fn strip(&self, components: &[&str]) -> Option<Vec<String>> {
        [&self.path, &self.given].into_iter().find_map(|root| {
            let root = normalized(root, true)?;
            Some(owned(components.strip_prefix(root.as_slice())?))
        })
    }
}

fn owned(components: &[&str]) -> Vec<String> {
    components.iter().map(|&component| component.to_owned()).collect()
}

fn outside_of_all() -> Refusal {
    outside("`path` is not below a folder from which files may be read")
}

fn canonical(folder: &Path) -> Result<String, RootError> {
    let missing = || RootError::Missing(folder.display().to_string());
    let path = std::fs::canonicalize(folder).map_err(|_| missing())?;
    path.into_os_string().into_string().map_err(|_| RootError::BadPath)
}

/// The components of a path without `.` and `..`. `None` if a relative path leaves the folder that it begins
/// in. Because no links are followed below a root, this is the file that the path means.
fn normalized(path: &str, absolute: bool) -> Option<Vec<&str>> {
    let mut components = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." if components.pop().is_some() || absolute => {}
            ".." => return None,
            name => components.push(name),
        }
    }
    Some(components)
}

/// A path below a root.
#[derive(Debug)]
pub(super) struct Located<'r> {
    root: &'r Root,
    relative: Vec<String>,
    data: &'r Identity,
}

impl Located<'_> {
    /// The absolute path without links, `.` and `..`.
    pub(super) fn path(&self) -> String {
        let root = self.root.path.trim_end_matches('/');
        let mut path = root.to_owned();
        for component in &self.relative {
            path.push('/');
            path.push_str(component);
        }
        if path.is_empty() { "/".to_owned() } else { path }
    }

    /// The path of the root.
    pub(super) fn root_path(&self) -> &str {
        &self.root.path
    }

    /// Looks which file is there, without opening it for reading.
    pub(super) fn identify(&self) -> Result<Identity, Problem> {
        open::identify(&self.root.path, &self.relative, self.data)
    }

    /// Opens the file.
    pub(super) fn open(&self) -> Result<Opened, Problem> {
        open::open(&self.root.path, &self.relative, self.data)
    }
}
