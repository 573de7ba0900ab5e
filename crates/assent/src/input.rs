//! Reads the documents that are given to a command.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

/// A document and its name in reports.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A document that cannot be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) message: String,
}

/// Reads a file, or standard input for `-`.
///
/// Reads at most one byte more than the longest document: the parser refuses longer ones, and an endless
/// input must not fill the memory.
pub(crate) fn read(path: &Path) -> Result<Input, Unreadable> {
    let limit = assent_json::MAX_DOCUMENT_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let (name, result) = if is_stdin(path) {
        let result = io::stdin().lock().take(limit).read_to_end(&mut bytes);
        ("standard input".to_owned(), result)
    } else {
        let opened = File::open(path);
        let result = opened.and_then(|file| file.take(limit).read_to_end(&mut bytes));
        (path.display().to_string(), result)
    };
    match result {
        Ok(_) => Ok(Input { name, bytes }),
        Err(error) => Err(Unreadable { message: format!("cannot read {name}: {error}") }),
    }
}

/// Reads two documents. Standard input can be only one of them.
pub(crate) fn read_both(old: &Path, new: &Path) -> Result<(Input, Input), Unreadable> {
    if is_stdin(old) && is_stdin(new) {
        let message = "standard input can be the old document or the new one, not both".to_owned();
        return Err(Unreadable { message });
    }
    Ok((read(old)?, read(new)?))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
