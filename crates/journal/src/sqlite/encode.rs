//! A batch as it goes to the writer.

use std::sync::Arc;

use assent_ids::{GeneratedId, InvocationId, UnixMillis};

use crate::{
    Batch, Claim, Drafts, Fact,
    codec::{self, Unwritable},
};

/// A batch with its facts written down. The thread that appends does that: the writer is the one
/// thread that everybody waits for, and the size of what waits has to be known.
pub(super) struct Encoded {
    runs: Vec<Run>,
    /// The facts, one after another, a line each.
    bodies: Vec<u8>,
    pub(super) claims: Vec<Claim>,
    pub(super) hold: Option<(InvocationId, Arc<[u8]>)>,
    pub(super) release: Option<InvocationId>,
}

/// Facts of one call that follow each other, but for their text.
pub(super) struct Run {
    pub(super) invocation: Option<InvocationId>,
    pub(super) steps: Vec<u32>,
    /// Where their text ends; it begins where that of the run before it ends.
    end: usize,
}

impl Encoded {
    /// Writes a batch down.
    pub(super) fn new(batch: Batch) -> Result<Self, Unwritable> {
        let Batch { drafts, claims, hold, release } = batch;
        let mut bodies = Vec::with_capacity(drafts.len().saturating_mul(256));
        let mut runs = Vec::with_capacity(1);
        match drafts {
            Drafts::OfCall(chapter) if chapter.facts.is_empty() => {}
            Drafts::OfCall(chapter) => {
                for (one, (_, step)) in chapter.facts.iter().zip(chapter.steps()) {
                    write_line(&mut bodies, one.at, step, &one.fact)?;
                }
                let steps = chapter.steps().map(|(_, step)| step).collect();
                runs.push(Run { invocation: Some(chapter.call), steps, end: bodies.len() });
            }
            Drafts::Mixed(drafts) => {
                for run in drafts.chunk_by(|draft, next| draft.invocation == next.invocation) {
                    for draft in run {
                        write_line(&mut bodies, draft.at, draft.step, &draft.fact)?;
                    }
                    let invocation = run.first().and_then(|draft| draft.invocation);
                    let steps = run.iter().map(|draft| draft.step).collect();
                    runs.push(Run { invocation, steps, end: bodies.len() });
                }
            }
        }
        let hold = hold.map(|held| (held.invocation, held.state.written()));
        Ok(Self { runs, bodies, claims, hold, release })
    }

    /// What it takes in memory, roughly.
    pub(super) fn size(&self) -> usize {
        let held = self.hold.as_ref().map_or(0, |(_, state)| state.len());
        let claims: usize = self.claims.iter().map(|claim| claim.key.len() + 32).sum();
        let runs: usize = self.runs.iter().map(|run| size_of::<Run>() + 4 * run.steps.len()).sum();
        self.bodies.len() + runs + held + claims + 256
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

    /// Whether it replaces or erases something that is held.
    pub(super) fn leaves_stale_values(&self) -> bool {
        self.hold.is_some() || self.release.is_some()
    }
}

impl Run {
    /// The step that comes after its last fact.
    pub(super) fn next_step(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.saturating_add(1))
    }
}

/// A fact as a line. In the text that the serializer writes there are no line breaks.
fn write_line(
    bodies: &mut Vec<u8>,
    at: UnixMillis,
    step: u32,
    fact: &Fact,
) -> Result<(), Unwritable> {
    codec::write(bodies, &(at.get(), step, fact))?;
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
        let batch = Encoded::new(Batch { drafts: drafts.into(), ..Batch::default() }).unwrap();
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
