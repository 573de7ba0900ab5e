//! What lies where in the memory of a process, as `/proc/self/smaps` tells it.

use std::ops::Range;

/// A mapping as its first line has it, and what follows.
struct Mapping<'m> {
    range: Range<usize>,
    permissions: &'m str,
    inode: &'m str,
    /// Bytes that are not as the file has them; unknown before its line was read.
    changed: Option<usize>,
}

/// The mappings of files that nobody can write to and of which no page was ever changed.
pub(crate) fn unchanged(smaps: &str) -> Vec<Range<usize>> {
    let mut mappings: Vec<Mapping<'_>> = Vec::new();
    for line in smaps.lines() {
        if let Some(mapping) = first_line(line) {
            mappings.push(mapping);
        } else if let (Some(mapping), Some(changed)) = (mappings.last_mut(), changed(line)) {
            mapping.changed = Some(changed);
        }
    }
    mappings.into_iter().filter(Mapping::is_unchanged).map(|mapping| mapping.range).collect()
}

impl Mapping<'_> {
    fn is_unchanged(&self) -> bool {
        let is_fixed = matches!(self.permissions, "r--p" | "r-xp");
        is_fixed && self.inode != "0" && self.changed == Some(0)
    }
}

/// `7f0c8a000000-7f0c8a022000 r-xp 00000000 fe:00 1234    /usr/lib/libc.so.6`
fn first_line(line: &str) -> Option<Mapping<'_>> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let range = address(start)?..address(end)?;
    let permissions = words.next()?;
    // Where in the file, and on which device.
    let inode = words.nth(2)?;
    Some(Mapping { range, permissions, inode, changed: None })
}

/// `Anonymous:            12 kB`
fn changed(line: &str) -> Option<usize> {
    line.strip_prefix("Anonymous:")?.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::unchanged;

    fn only(range: Range<usize>) -> Vec<Range<usize>> {
        vec![range]
    }

    fn smaps(permissions: &str, inode: &str, more: &str) -> String {
        format!(
            "1000-3000 {permissions} 00000000 fe:00 {inode}   /usr/bin/a program\nSize: 8 kB\n{more}"
        )
    }

    #[test]
    fn code_and_constants_of_files_are_let_go() {
        for permissions in ["r-xp", "r--p"] {
            let text = smaps(permissions, "77", "Anonymous:             0 kB\n");
            assert_eq!(unchanged(&text), only(0x1000..0x3000));
        }
    }

    #[test]
    fn whatever_was_changed_or_can_be_is_kept() {
        let clean = "Anonymous: 0 kB\n";
        // What the linker has put in its place and then closed.
        assert_eq!(unchanged(&smaps("r--p", "77", "Anonymous: 4 kB\n")), []);
        assert_eq!(unchanged(&smaps("rw-p", "77", clean)), []);
        assert_eq!(unchanged(&smaps("r--s", "77", clean)), []);
        assert_eq!(unchanged(&smaps("r-xp", "0", clean)), [], "no file");
    }

    #[test]
    fn what_is_not_understood_is_kept() {
        assert_eq!(unchanged(&smaps("r-xp", "77", "")), [], "nobody says that nothing was changed");
        assert_eq!(unchanged(&smaps("r-xp", "77", "Anonymous: none\n")), []);
        assert_eq!(unchanged("1000-zz r-xp 0 fe:00 77 /a\nAnonymous: 0 kB\n"), []);
        assert_eq!(unchanged("Anonymous: 0 kB\n"), []);
        assert_eq!(unchanged(""), []);
    }

    #[test]
    fn each_mapping_is_judged_by_its_own_lines() {
        let dirty = smaps("r--p", "77", "Anonymous: 4 kB\n");
        let clean = "5000-6000 r-xp 00000000 fe:00 77 /b\nAnonymous: 0 kB\n";
        assert_eq!(unchanged(&format!("{dirty}{clean}{dirty}")), only(0x5000..0x6000));
    }
}
