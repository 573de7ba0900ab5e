//! Embeddings that come from outside.

use assent_embedding::StaticEmbedding;
use assent_search::Meaning as _;

/// The files of an embedding, with four bytes before them that tell how long the first one is. Whatever they
/// say, texts have pieces and directions of one length.
pub fn embedding(data: &[u8]) {
    let Some((length, files)) = data.split_first_chunk::<4>() else { return };
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let Some((tokenizer, weights)) = files.split_at_checked(length) else { return };
    let Ok(embedding) = StaticEmbedding::read(tokenizer, weights) else { return };
    let texts = ["", "rain and umbrellas", "▁▁ \u{0}\u{fffd}", "下雨了"];
    let lengths = texts.map(|text| embedding.direction(text).map(|direction| direction.len()));
    let mut known = lengths.into_iter().flatten();
    if let Some(first) = known.next() {
        assert!(first > 0);
        assert!(known.all(|length| length == first), "one space");
    }
    for text in texts {
        assert!(embedding.pieces(text).len() <= 3 * (text.len() + 3), "no more pieces than bytes");
    }
}
