//! What texts are about, by a static embedding: a table with a vector for every piece of a word.
//!
//! The direction of a text is the mean of the vectors of its pieces. That is a look-up and an addition for
//! each, without a network, without a graphics card and without a wait, and it knows that rain and umbrellas
//! belong together. It makes a [`Meaning`] for an [index of tools](assent_search::Index::with_meaning):
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use assent_embedding::StaticEmbedding;
//! use assent_search::Index;
//!
//! let embedding = StaticEmbedding::open("tokenizer.json", "weights.safetensors")?;
//! let index = Index::with_meaning(Arc::new(embedding));
//! # Ok::<(), assent_embedding::EmbeddingError>(())
//! ```
//!
//! # Where to get one
//!
//! Nothing is downloaded, and none is part of this crate. The Python package `wordllama` has one of 16 MB under
//! the MIT licence; both files lie in its wheel:
//!
//! ```text
//! pip download --no-deps wordllama && unzip wordllama-*.whl 'wordllama/weights/*' 'wordllama/tokenizers/*'
//! ```
//!
//! # What can be read
//!
//! The tokenizer is a `tokenizer.json` with byte-pair encoding over whole texts, in which spaces are `▁`; the
//! weights are a `safetensors` file with one table of 16 or 32 bit floats, a row for each piece. Texts are
//! read in lower case.

mod bytes;
mod error;
mod merging;
mod tokenizer;
mod weights;

use std::path::Path;

use assent_search::Meaning;

pub use self::error::{EmbeddingError, Fault};
use self::{tokenizer::Tokenizer, weights::Weights};

/// A table of vectors, and what takes texts apart into the pieces that it has vectors for.
#[derive(Debug)]
pub struct StaticEmbedding {
    tokenizer: Tokenizer,
    weights: Weights,
}

impl StaticEmbedding {
    /// Reads both files.
    ///
    /// # Errors
    /// If one of them cannot be read, or is not what it should be.
    pub fn open(
        tokenizer: impl AsRef<Path>,
        weights: impl AsRef<Path>,
    ) -> Result<Self, EmbeddingError> {
        let read = |path: &Path| {
            std::fs::read(path)
                .map_err(|error| EmbeddingError { file: path.into(), fault: error.into() })
        };
        let (tokenizer, weights) = (tokenizer.as_ref(), weights.as_ref());
        let at = |path: &Path, fault| EmbeddingError { file: path.into(), fault };
        let table = Weights::read(&read(weights)?).map_err(|fault| at(weights, fault))?;
        let pieces = Tokenizer::read(&read(tokenizer)?, table.rows())
            .map_err(|fault| at(tokenizer, fault))?;
        Ok(Self { tokenizer: pieces, weights: table })
    }

    /// Reads what the files hold.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(tokenizer: &[u8], weights: &[u8]) -> Result<Self, Fault> {
        let weights = Weights::read(weights)?;
        Ok(Self { tokenizer: Tokenizer::read(tokenizer, weights.rows())?, weights })
    }

    /// The numbers of the pieces of a text, in its order.
    #[must_use]
    pub fn pieces(&self, text: &str) -> Vec<u32> {
        self.tokenizer.pieces(&text.to_lowercase())
    }
}

impl Meaning for StaticEmbedding {
    fn direction(&self, text: &str) -> Option<Vec<f32>> {
        let pieces = self.pieces(text);
        (!pieces.is_empty()).then(|| self.weights.sum(&pieces))
    }
}
