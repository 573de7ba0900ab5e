//! What the system says about this process. Where it says nothing, nothing is written.

use std::fs;

use assent_ids::UnixMillis;

use super::exposition::Exposition;

pub(super) fn write(out: &mut Exposition, started_at: UnixMillis) {
    let help = "When the process started, in seconds since 1970.";
    out.gauge("process_start_time_seconds", help, &(started_at.get() / 1000));
    if let Some(bytes) = resident_bytes() {
        out.gauge("process_resident_memory_bytes", "Memory that is in use.", &bytes);
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        // Looking opens one more.
        let open = files.count().saturating_sub(1);
        out.gauge("process_open_fds", "Open files and connections.", &open);
    }
    if let Some(limit) = file_limit() {
        out.gauge("process_max_fds", "The most files and connections that may be open.", &limit);
    }
}

fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn file_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}
