//! What the driver asks for.

use std::{path::PathBuf, time::Duration};

/// Which case of which peer to run, and on which data.
#[derive(Clone)]
pub struct Request {
    pub(crate) mode: Mode,
    pub(crate) item: String,
    /// The case, such as `canonical-64k`.
    pub case: String,
    /// The peer, by its name in `peers.toml`.
    pub peer: String,
    /// Where the generated data lie.
    pub data: PathBuf,
}

#[derive(Clone, Copy)]
pub(crate) enum Mode {
    Answer,
    /// Measure over at least so much CPU time.
    Measure(Duration),
}

impl Request {
    pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = || "usage: answer|measure ITEM CASE PEER DATA [CPU_MILLISECONDS]".to_owned();
        let arguments: Vec<_> = arguments.collect();
        let (mode, item, case, peer, data) = match arguments.as_slice() {
            [mode, item, case, peer, data] if mode == "answer" => {
                (Mode::Answer, item, case, peer, data)
            }
            [mode, item, case, peer, data, cpu] if mode == "measure" => {
                let cpu = cpu.parse().map_err(|_| usage())?;
                (Mode::Measure(Duration::from_millis(cpu)), item, case, peer, data)
            }
            _ => return Err(usage()),
        };
        Ok(Self {
            mode,
            item: item.clone(),
            case: case.clone(),
            peer: peer.clone(),
            data: PathBuf::from(data),
        })
    }
}
