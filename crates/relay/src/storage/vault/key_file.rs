//! A file with keys: one in each line, and what begins with `#` is not read.

use zeroize::Zeroizing;

/// A key, which is gone from memory when it is dropped.
pub(super) type Key = Zeroizing<[u8; 32]>;

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Key(Key),
    /// No key: as it is.
    Plain,
}

/// Everything that the file says, in its order; or the number of the first line that says something else.
pub(super) fn parse(file: &[u8]) -> Result<Vec<Entry>, usize> {
    let lines = file.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).enumerate();
    let said = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
    said.map(|(at, line)| entry(line).ok_or(at + 1)).collect()
}

fn entry(line: &[u8]) -> Option<Entry> {
    if line == b"plain" {
        return Some(Entry::Plain);
    }
    let mut key = Key::default();
    if line.len() != 2 * key.len() {
        return None;
    }
    for (byte, digits) in key.iter_mut().zip(line.chunks_exact(2)) {
        *byte = digits.iter().try_fold(0, |byte, digit| Some(byte << 4 | nibble(*digit)?))?;
    }
    Some(Entry::Key(key))
}

fn nibble(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}
