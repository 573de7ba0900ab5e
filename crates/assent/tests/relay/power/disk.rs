//! A disk that keeps what was synced, and a random part of the rest.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    Dice,
    tape::{Op, What},
};

/// So much is written whole or not at all.
const SECTOR: usize = 512;

/// Files, by name.
#[derive(Default)]
pub(super) struct Disk<'t> {
    files: BTreeMap<&'t str, File<'t>>,
}

/// What a file holds for sure, and what was done to it since.
#[derive(Default)]
struct File<'t> {
    durable: Vec<u8>,
    since: Vec<&'t What>,
}

impl<'t> Disk<'t> {
    /// Does what was done next.
    pub(super) fn take(&mut self, op: &'t Op) {
        if matches!(op.what, What::Remove) {
            self.files.remove(op.file.as_str());
            return;
        }
        let file = self.files.entry(&op.file).or_default();
        if !matches!(op.what, What::Sync) {
            file.since.push(&op.what);
            return;
        }
        for what in std::mem::take(&mut file.since) {
            apply(&mut file.durable, what, |_| true);
        }
    }

    /// Writes down, into a directory, what is left after the power has failed.
    pub(super) fn wreck(&self, directory: &Path, dice: &mut Dice) {
        let loses_everything = dice.roll(4) == 0;
        for (name, file) in &self.files {
            let mut left = file.durable.clone();
            for what in file.since.iter().filter(|_| !loses_everything) {
                match dice.roll(3) {
                    0 => {}
                    1 => apply(&mut left, what, |_| true),
                    _ => apply(&mut left, what, |_| dice.roll(2) == 0),
                }
            }
            // What the processes share is in memory, whatever its name.
            if !name.ends_with("-shm") {
                fs::write(directory.join(name), left).unwrap();
            }
        }
    }
}

/// Does to the content of a file what was done, in those sectors that are kept.
fn apply(content: &mut Vec<u8>, what: &What, mut keeps: impl FnMut(usize) -> bool) {
    match what {
        What::Write { at, bytes } => {
            let mut at = *at;
            let mut bytes = &bytes[..];
            while !bytes.is_empty() {
                let length = (SECTOR - at % SECTOR).min(bytes.len());
                let (sector, rest) = bytes.split_at(length);
                if keeps(at / SECTOR) {
                    content.resize(content.len().max(at + length), 0);
                    content[at..at + length].copy_from_slice(sector);
                }
                (at, bytes) = (at + length, rest);
            }
        }
        What::Truncate { length } => content.resize(*length, 0),
        What::Sync | What::Remove => {}
    }
}
