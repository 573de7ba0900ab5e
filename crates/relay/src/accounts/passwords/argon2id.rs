//! Argon2id, in memory that goes back to the system after every hash.

use argon2::{
    ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};

/// 19 MiB and two passes: the OWASP recommendation for Argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// What is reserved for a hash, in blocks of 1 KiB. Pages beyond those in use are never touched, so they take no memory.
///
/// glibc unmaps a large block when it is freed, but also raises its threshold for mapping to the size of that block.
/// From then on blocks of this size come from the heaps of its arenas, which grow and are not returned: 50
/// registrations left 180 to 770 MB behind. Blocks of more than 32 MiB are mapped whatever the threshold is.
const RESERVED_BLOCKS: usize = 33 * 1024;

/// Returns the hash of `password` with its parameters and salt, as a PHC string.
pub(super) fn hash(password: &[u8], salt: &[u8]) -> Option<String> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(Params::DEFAULT_OUTPUT_LEN)).ok()?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let salt = Salt::new(salt).ok()?;
    let output = output(&argon2, password, &salt)?;
    let hash = PasswordHash {
        algorithm: ARGON2ID_IDENT,
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).ok()?,
        salt: Some(salt),
        hash: Some(output),
    };
    Some(hash.to_string())
}

/// Returns `true` if `hash` is a hash of `password`. Takes the same time whether it is or not.
pub(super) fn verify(password: &[u8], hash: &str) -> Option<bool> {
    let hash = PasswordHash::new(hash).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash).ok()?);
    Some(output(&argon2, password, &hash.salt?)? == hash.hash?)
}

fn output(argon2: &Argon2<'_>, password: &[u8], salt: &[u8]) -> Option<Output> {
    let params = argon2.params();
    let mut output = [0; Output::MAX_LENGTH];
    let output = output.get_mut(..params.output_len()?)?;
    let blocks = params.block_count();
    let mut memory = Vec::with_capacity(blocks.max(RESERVED_BLOCKS));
    memory.resize(blocks, Block::new());
    argon2.hash_password_into_with_memory(password, salt, output, &mut memory).ok()?;
    Output::new(output).ok()
}
