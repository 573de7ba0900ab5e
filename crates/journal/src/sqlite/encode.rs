//! A serialized batch.

use assent_ids::{GeneratedId, InvocationId};

use crate::{
    Batch, Claim, Draft, SavedState,
    codec::{self, Unwritable},
};

/// A batch with serialized facts. The appending thread serializes them, because all calls wait for the one writer thread
/// and the size of its queue has to be known.
pub(super) struct Encoded {
    runs: Vec<Run>,
    /// The facts, one after another, a line each.
    bodies: Vec<u8>,
    pub(super) claims: Vec<Claim>,
    pub(super) save: Option<SavedState>,
    pub(super) release: Option<InvocationId>,
}

/// Consecutive facts of one call, without their text.
pub(super) struct Run {
    pub(super) invocation: Option<InvocationId>,
    pub(super) steps: Vec<u32>,
    /// Where their text ends; it begins where that of the run before it ends.
    end: usize,
}

impl Encoded {
    /// Serializes a batch.
    pub(super) fn new(batch: Batch) -> Result<Self, Unwritable> {
        let Batch { drafts, claims, save, release } = batch;
        let (mut bodies, mut runs) = (Vec::new(), Vec::new());
        for run in drafts.chunk_by(|draft, next| draft.invocation == next.invocation) {
            for draft in run {
                write_line(&mut bodies, draft)?;
            }
            let invocation = run.first().and_then(|draft| draft.invocation);
            let steps = run.iter().map(|draft| draft.step).collect();
            runs.push(Run { invocation, steps, end: bodies.len() });
        }
        Ok(Self { runs, bodies, claims, save, release })
    }

    /// The approximate size in memory.
    pub(super) fn size(&self) -> usize {
        let saved = self.save.as_ref().map_or(0, |saved| saved.bytes.len());
        let claims: usize = self.claims.iter().map(|claim| claim.key.len() + 32).sum();
        let runs: usize = self.runs.iter().map(|run| size_of::<Run>() + 4 * run.steps.len()).sum();
        self.bodies.len() + runs + saved + claims + 256
    }

    /// Each run with its text.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&Run, &[u8])> {
        self.runs.iter().scan(0, |begin, run| {
            let body = self.bodies.get(*begin..run.end)?;
            *begin = run.end;
            Some((run, body))
        })
    }

    /// The call and the step of each fact.
    pub(super) fn steps(&self) -> impl Iterator<Item = (Option<InvocationId>, u32)> {
        self.runs.iter().flat_map(|run| run.steps.iter().map(|step| (run.invocation, *step)))
    }

    /// Returns `true` if it replaces or erases a saved state.
    pub(super) fn leaves_stale_values(&self) -> bool {
        self.save.is_some() || self.release.is_some()
    }
}

impl Run {
    /// The step that comes after its last fact.
    pub(super) fn next_step(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.saturating_add(1))
    }
}

/// A fact as a line. In the text that the serializer writes there are no line breaks.
fn write_line(bodies: &mut Vec<u8>, draft: &Draft) -> Result<(), Unwritable> {
    codec::write(bodies, &(draft.at.get(), draft.step, &draft.fact))?;
    bodies.push(b'\n');
    Ok(())
}

/// The key of a call.
pub(super) fn key(invocation: InvocationId) -> [u8; 16] {
    invocation.ulid().bits().to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::Encoded;
    use crate::{Batch, conformance::sample};

    #[test]
    fn a_run_ends_where_another_call_or_none_begins() {
        let mut drafts = sample::denied_call(1);
        drafts.extend(sample::catalog());
        drafts.extend(sample::denied_call(2));
        drafts.extend(sample::allowed_call(1).into_iter().skip(7));
        let batch = Encoded::new(Batch { drafts, ..Batch::default() }).unwrap();
        let runs: Vec<_> = batch
            .runs()
            .map(|(run, body)| {
                let lines = body.split_inclusive(|byte| *byte == b'\n').count();
                assert_eq!(lines, run.steps.len());
                (run.invocation, run.steps.len(), run.next_step())
            })
            .collect();
        let catalog = sample::catalog();
        let after_catalog = catalog.last().map_or(0, |draft| draft.step + 1);
        let expected = [
            (Some(sample::call(1)), 7, 7),
            (None, catalog.len(), after_catalog),
            (Some(sample::call(2)), 7, 7),
            (Some(sample::call(1)), 5, 12),
        ];
        assert_eq!(runs, expected);
    }
}
