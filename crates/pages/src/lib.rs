//! Gives back the memory that only the start of a program needed.
//!
//! A program of many megabytes is read from its file piece by piece, as it runs, and what was once read stays in
//! its memory: the kernel counts it for the process for as long as it lives. Much of that is needed once, to begin:
//! the dynamic linker, reading settings, opening files, building tables. A service that then waits for days can let
//! go of it. Whatever is needed again comes back from the page cache by itself, a few microseconds for each piece.

#[cfg(target_os = "linux")]
mod mappings;

use std::io;

/// Lets go of all pages of this program and its libraries that are as their files have them, and says how many bytes
/// they may have been. On systems where that is not known, it is nothing.
///
/// # Errors
/// If the kernel does not tell what lies where, or does not take the advice.
#[cfg(target_os = "linux")]
pub fn let_go() -> io::Result<usize> {
    use rustix::mm::{Advice, madvise};

    let mappings = std::fs::read_to_string("/proc/self/smaps")?;
    let mut bytes = 0;
    for range in mappings::unchanged(&mappings) {
        let (start, length) = (range.start, range.end.saturating_sub(range.start));
        // SAFETY: the range is a whole mapping of a file that is private, cannot be written to, and of which no page
        // was ever changed. Whoever reads or runs it after this finds the same bytes, read from the file anew.
        unsafe { madvise(std::ptr::without_provenance_mut(start), length, Advice::LinuxDontNeed) }?;
        bytes += length;
    }
    Ok(bytes)
}

/// Nothing is known of other systems.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn let_go() -> io::Result<usize> {
    Ok(0)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;

    use super::let_go;

    /// What the kernel counts for this process of its files.
    fn resident_of_files() -> usize {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssFile:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
    }

    #[test]
    fn a_program_goes_on_after_it_has_let_go_of_its_pages() {
        let before = resident_of_files();
        let bytes = let_go().unwrap();
        let after = resident_of_files();
        assert!(bytes > 0 && after < before, "{bytes} bytes: from {before} to {after}");
        let words: Vec<String> = (0..1000).map(|number| format!("{number}")).collect();
        assert_eq!(words.concat().len(), 2890);
    }
}
