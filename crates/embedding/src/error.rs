//! What can be wrong with a file.

use std::path::PathBuf;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {fault}", file.display())]
pub struct EmbeddingError {
    /// Which one.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is not JSON of the form that a tokenizer has.
    #[error("it is not a `tokenizer.json`: {0}")]
    NotATokenizer(#[source] serde_json::Error),
    /// It takes texts apart in a way that is not known here.
    #[error("{0}: only byte-pair encoding over whole texts with `▁` for spaces is known here")]
    UnknownTokenizer(&'static str),
    /// Two of its parts do not fit together.
    #[error("{0}")]
    Inconsistent(String),
    /// It does not begin as a file of weights does.
    #[error("it is not a `safetensors` file: {0}")]
    NotWeights(String),
    /// It has no table that could be used.
    #[error("it has no single table of 16 or 32 bit floats: {0}")]
    NoTable(String),
}
