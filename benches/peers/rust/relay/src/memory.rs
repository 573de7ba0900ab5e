//! The memory of a process.

use std::fs;

/// What a process has in memory now.
pub(crate) fn resident_kib(process: u32) -> u64 {
    line(&format!("/proc/{process}/smaps_rollup"), "Rss:")
}

/// The most that it ever had.
pub(crate) fn peak_kib(process: u32) -> u64 {
    line(&format!("/proc/{process}/status"), "VmHWM:")
}

fn line(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let found = text.lines().find_map(|line| line.strip_prefix(name));
    let number = found.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
    number.unwrap_or_else(|| panic!("{file} has no {name}"))
}
