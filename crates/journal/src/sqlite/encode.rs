//! A batch as it goes to the writer.

use std::sync::Arc;

use assent_ids::{GeneratedId, InvocationId};

use crate::{
    Batch, Claim, Draft,
    codec::{self, Unwritable},
};

/// A batch with its facts written down. The thread that appends does that: the writer is the one
/// thread that everybody waits for, and the size of what waits has to be known.
pub(super) struct Encoded {
    pub(super) rows: Vec<Row>,
    /// The facts, one after another.
    bodies: Vec<u8>,
    pub(super) claims: Vec<Claim>,
    pub(super) hold: Option<(InvocationId, Arc<[u8]>)>,
    pub(super) release: Option<InvocationId>,
}

/// A fact but for its text.
pub(super) struct Row {
    pub(super) at: u64,
    pub(super) invocation: Option<InvocationId>,
    pub(super) step: u32,
    /// Where its text ends; it begins where the one before it ends.
    end: usize,
}

impl Encoded {
    /// Writes a batch down.
    pub(super) fn new(batch: Batch) -> Result<Self, Unwritable> {
        let Batch { drafts, claims, hold, release } = batch;
        let mut rows = Vec::with_capacity(drafts.len());
        let mut bodies = Vec::with_capacity(drafts.len().saturating_mul(256));
        for Draft { at, invocation, step, fact } in drafts {
            codec::write(&mut bodies, &fact)?;
            rows.push(Row { at: at.get(), invocation, step, end: bodies.len() });
        }
        let hold = hold.map(|held| (held.invocation, held.state.written()));
        Ok(Self { rows, bodies, claims, hold, release })
    }

    /// What it takes in memory, roughly.
    pub(super) fn size(&self) -> usize {
        let held = self.hold.as_ref().map_or(0, |(_, state)| state.len());
        let claims: usize = self.claims.iter().map(|claim| claim.key.len() + 32).sum();
        self.bodies.len() + self.rows.len() * size_of::<Row>() + held + claims + 256
    }

    /// Each row with its text.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Row, &[u8])> {
        self.rows.iter().scan(0, |begin, row| {
            let body = self.bodies.get(*begin..row.end)?;
            *begin = row.end;
            Some((row, body))
        })
    }

    /// Whether it replaces or erases something that is held.
    pub(super) fn leaves_stale_values(&self) -> bool {
        self.hold.is_some() || self.release.is_some()
    }
}

/// The key of a call.
pub(super) fn key(invocation: InvocationId) -> [u8; 16] {
    invocation.ulid().bits().to_be_bytes()
}
