//! `assent audit export JOURNAL`

use std::{
    fs::OpenOptions,
    io::{self, BufWriter, Write},
    path::Path,
};

use assent_journal::{ExportError, export, records_jsonl};

use super::source::Source;
use crate::{cli::Export, exit::Exit, input::Unreadable, output, remote};

pub(super) fn run(arguments: &Export) -> Result<Exit, Exit> {
    let source = super::open(&arguments.journal, false)?;
    let written = match &arguments.out {
        None => write(arguments, &source, io::stdout().lock()),
        Some(path) => new_file(path).and_then(|file| write(arguments, &source, file)),
    };
    Ok(match written {
        Ok(()) => Exit::AsAsked,
        // A closed pipe, such as that of `head`, is not an error.
        Err(ExportError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Exit::AsAsked
        }
        Err(error) => output::unreadable(&Unreadable { message: error.to_string() }, false),
    })
}

fn write(arguments: &Export, source: &Source, out: impl Write) -> Result<(), ExportError> {
    let mut out = BufWriter::new(out);
    let journal = source.journal();
    if arguments.records {
        remote::wait(records_jsonl(journal, &mut out))??;
    } else {
        remote::wait(export(journal, &mut out))??;
    }
    Ok(out.flush()?)
}

/// Creates a file that only its owner can read. An existing file is not overwritten.
fn new_file(path: &Path) -> Result<std::fs::File, ExportError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    Ok(options.open(path)?)
}
