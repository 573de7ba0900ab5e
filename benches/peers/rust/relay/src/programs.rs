//! Where the driver has put the servers.

use std::path::{Path, PathBuf};

use assent_bench_harness::Request;
use serde_json::Value;

/// Which file of the data tells.
const FILE: &str = "programs.json";

/// The program with a name.
pub(crate) fn program(request: &Request, name: &str) -> PathBuf {
    program_in(&request.data, name)
}

/// The same, by the directory of the data.
pub(crate) fn program_in(data: &Path, name: &str) -> PathBuf {
    let file = data.join(FILE);
    let text = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let programs: Value = serde_json::from_slice(&text).expect("the driver writes JSON");
    let path = programs[name].as_str().unwrap_or_else(|| panic!("{FILE} has no {name}"));
    PathBuf::from(path)
}
