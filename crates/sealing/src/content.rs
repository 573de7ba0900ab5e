//! The content of a message: padded, so that its length shows only a size class, and encrypted under a
//! fresh key.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::{
    derive::{DerivedCipher, TAG_BYTES},
    random::Secret,
};

/// The sizes that padded content has, in KiB.
const BUCKETS_KIB: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768];

const LENGTH_BYTES: usize = 4;

/// The most bytes that a message can have.
pub const MAX_CONTENT_BYTES: usize = 768 * 1024 - LENGTH_BYTES;

/// Pads the content to the next bucket, or returns `None` if it is too long.
fn pad(content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let needed = content.len().checked_add(LENGTH_BYTES)?;
    let bucket = BUCKETS_KIB.iter().map(|kib| kib * 1024).find(|bucket| *bucket >= needed)?;
    let length = u32::try_from(content.len()).ok()?;
    let mut padded = Zeroizing::new(Vec::with_capacity(bucket));
    padded.extend_from_slice(&length.to_be_bytes());
    padded.extend_from_slice(content);
    padded.resize(bucket, 0);
    Some(padded)
}

/// Takes the padding off. Returns `None` if the length is not a bucket, is not the smallest that fits, or
/// the padding is not zero.
fn unpad(padded: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (length, rest) = padded.split_first_chunk::<LENGTH_BYTES>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (content, padding) = rest.split_at_checked(length)?;
    let needed = length.checked_add(LENGTH_BYTES)?;
    let bucket = BUCKETS_KIB.iter().map(|kib| kib * 1024).find(|bucket| *bucket >= needed)?;
    let is_canonical = bucket == padded.len() && padding.iter().all(|byte| *byte == 0);
    is_canonical.then(|| Zeroizing::new(content.to_vec()))
}

/// Whether a ciphertext has the length of padded content with its tag.
pub(crate) fn is_ciphertext_length(length: usize) -> bool {
    let plain = length.checked_sub(TAG_BYTES);
    plain.is_some_and(|plain| BUCKETS_KIB.iter().any(|kib| kib * 1024 == plain))
}

fn cipher(content_key: &Secret, header: &[u8]) -> DerivedCipher {
    let digest = Sha256::digest(header);
    DerivedCipher::derive(&[0; 32], content_key, &[b"assent/v1/content", &digest])
}

/// Encrypts content under its key, bound to the header and the blocks. Returns `None` if it is too long.
pub(crate) fn encrypt(
    content_key: &Secret,
    header: &[u8],
    aad: &[u8],
    content: &[u8],
) -> Option<Vec<u8>> {
    Some(cipher(content_key, header).encrypt(&pad(content)?, aad))
}

/// Decrypts content, or returns `None` if it is not authentic or not padded as it should be.
pub(crate) fn decrypt(
    content_key: &Secret,
    header: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    unpad(&cipher(content_key, header).decrypt(ciphertext, aad).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{BUCKETS_KIB, MAX_CONTENT_BYTES, pad, unpad};

    #[test]
    fn content_fills_a_bucket_exactly_or_goes_to_the_next() {
        for (content, bucket) in [(0, 1), (1020, 1), (1021, 2), (2044, 2), (2045, 4)] {
            assert_eq!(pad(&vec![7; content]).unwrap().len(), bucket * 1024);
        }
        assert_eq!(pad(&vec![7; MAX_CONTENT_BYTES]).unwrap().len(), 768 * 1024);
        assert!(pad(&vec![7; MAX_CONTENT_BYTES + 1]).is_none());
    }

    #[test]
    fn padding_comes_off_again() {
        for length in [0, 1, 1020, 1021, 5000, MAX_CONTENT_BYTES] {
            let content = vec![9; length];
            assert_eq!(**unpad(&pad(&content).unwrap()).unwrap(), content);
        }
    }

    #[test]
    fn only_the_smallest_bucket_and_zeros_are_taken() {
        let mut padded = pad(b"hello").unwrap();
        padded.resize(2048, 0);
        assert!(unpad(&padded).is_none(), "a larger bucket");
        let mut padded = pad(b"hello").unwrap();
        *padded.last_mut().unwrap() = 1;
        assert!(unpad(&padded).is_none(), "padding that is not zero");
        assert!(unpad(&[]).is_none());
        assert!(unpad(&[0; 1023]).is_none());
        let mut long = vec![0; BUCKETS_KIB[0] * 1024];
        long[..4].copy_from_slice(&2000_u32.to_be_bytes());
        assert!(unpad(&long).is_none(), "a length beyond the end");
    }
}
