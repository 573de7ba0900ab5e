//! The queue against a model that recomputes everything every time.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Act {
    Wait { safe: bool },
    Withdraw,
    Start,
    Release,
    End,
    Doom,
}

#[derive(Clone, Debug)]
struct Shape {
    max_parallel: usize,
    serial: bool,
    /// Earlier calls that each call depends on.
    depends_on: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Naive {
    phase: Phase,
    safe: Option<bool>,
    ended: bool,
    doomed: bool,
    ran: bool,
    overlapped: bool,
}

/// The queue and its model, side by side.
struct Pair {
    shape: Shape,
    queue: Queue,
    calls: Vec<Naive>,
}

impl Pair {
    fn new(shape: Shape) -> Self {
        let dependencies: Vec<_> = shape.depends_on.iter().map(Vec::len).collect();
        let limit = NonZeroUsize::new(shape.max_parallel).unwrap();
        let naive = Naive {
            phase: Phase::Deciding,
            safe: None,
            ended: false,
            doomed: false,
            ran: false,
            overlapped: false,
        };
        let calls = vec![naive; shape.depends_on.len()];
        Self { queue: Queue::new(limit, shape.serial, &dependencies), calls, shape }
    }

    fn is_in(&self, call: usize) -> bool {
        matches!(self.calls[call].phase, Phase::Admitted | Phase::Running)
    }

    fn may_go(&self, call: usize) -> bool {
        let naive = &self.calls[call];
        let safe = naive.safe == Some(true);
        let others_in = || (0..self.calls.len()).filter(|&other| self.is_in(other));
        let free = naive.phase == Phase::Waiting
            && !naive.doomed
            && self.shape.depends_on[call].iter().all(|&needed| self.calls[needed].ended)
            && others_in().count() < self.shape.max_parallel;
        let before = &self.calls[..call];
        free && if safe {
            let harmless = |other: &Naive| other.phase == Phase::Over || other.safe == Some(true);
            before.iter().all(harmless)
                && others_in().all(|other| self.calls[other].safe == Some(true))
        } else {
            before.iter().all(|other| other.phase == Phase::Over) && others_in().next().is_none()
        }
    }

    /// Does something to a call, if it can be done, in both worlds.
    fn act(&mut self, call: usize, act: Act) {
        let naive = &mut self.calls[call];
        match (act, naive.phase) {
            (Act::Wait { safe }, Phase::Deciding | Phase::Over) => {
                naive.phase = Phase::Waiting;
                naive.safe = Some(safe && !self.shape.serial);
                assert!(self.queue.wait(call, safe));
            }
            (Act::Wait { safe }, _) => assert!(!self.queue.wait(call, safe)),
            (Act::Withdraw, Phase::Waiting | Phase::Admitted) => {
                naive.phase = if naive.ended { Phase::Over } else { Phase::Deciding };
                naive.safe = None;
                self.queue.withdraw(call);
            }
            (Act::Start, Phase::Admitted) if !naive.doomed => self.start(call),
            (Act::Start, _) => assert!(!self.queue.start(call)),
            (Act::Release, Phase::Running) => {
                naive.phase = Phase::Over;
                self.queue.release(call);
            }
            (Act::End, phase) if !naive.ended => {
                naive.ended = true;
                if matches!(phase, Phase::Deciding | Phase::Waiting) {
                    naive.phase = Phase::Over;
                }
                self.queue.end(call);
                for dependent in 0..self.calls.len() {
                    if self.shape.depends_on[dependent].contains(&call) {
                        self.queue.dependency_ended(dependent);
                    }
                }
            }
            (Act::Doom, _) => {
                naive.doomed = true;
                self.queue.doom(call);
            }
            (Act::Withdraw | Act::Release | Act::End, _) => {}
        }
        self.admit();
    }

    fn start(&mut self, call: usize) {
        assert!(self.queue.start(call));
        for other in 0..self.calls.len() {
            if self.calls[other].phase == Phase::Running {
                self.calls[other].overlapped = true;
                self.calls[call].overlapped = true;
            }
        }
        self.calls[call].phase = Phase::Running;
        self.calls[call].ran = true;
    }

    /// Both let the same calls go, in the same order, and neither breaks a promise.
    fn admit(&mut self) {
        while let Some(call) = (0..self.calls.len()).find(|&call| self.may_go(call)) {
            assert_eq!(self.queue.next(), Some(call));
            self.calls[call].phase = Phase::Admitted;
        }
        assert_eq!(self.queue.next(), None);
        let admitted: Vec<_> = (0..self.calls.len()).filter(|&call| self.is_in(call)).collect();
        assert!(admitted.len() <= self.shape.max_parallel);
        let exclusive = admitted.iter().any(|&call| self.calls[call].safe != Some(true));
        assert!(!exclusive || admitted.len() == 1, "{admitted:?}");
        for (call, naive) in self.calls.iter().enumerate() {
            assert_eq!(self.queue.ran_alone(call), naive.ran && !naive.overlapped);
        }
    }

    /// Every call goes its way to the end, whatever has happened before.
    fn finish(&mut self) {
        for round in 0.. {
            assert!(round <= 4 * self.calls.len() + 4, "a call waits forever: {:?}", self.calls);
            if self.calls.iter().all(|call| call.ended && call.phase == Phase::Over) {
                return;
            }
            for call in 0..self.calls.len() {
                match self.calls[call] {
                    Naive { phase: Phase::Running, .. } => {
                        self.act(call, Act::Release);
                        self.act(call, Act::End);
                    }
                    // A call that is to be canceled, or has ended, stops waiting.
                    Naive { phase: Phase::Admitted | Phase::Waiting, doomed, ended, .. }
                        if doomed || ended =>
                    {
                        self.act(call, Act::Withdraw);
                        self.act(call, Act::End);
                    }
                    Naive { phase: Phase::Admitted, .. } => self.act(call, Act::Start),
                    Naive { phase: Phase::Deciding, .. } => {
                        self.act(call, Act::Wait { safe: call.is_multiple_of(2) });
                    }
                    Naive { phase: Phase::Over, .. } => self.act(call, Act::End),
                    Naive { phase: Phase::Waiting, .. } => {}
                }
            }
        }
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let depends_on = (1..8_usize).prop_flat_map(|calls| {
        let earlier = |call| prop::collection::btree_set(0..call, 0..2.min(call + 1));
        (0..calls)
            .map(|call| match call {
                0 => Just(Vec::new()).boxed(),
                _ => earlier(call).prop_map(Vec::from_iter).boxed(),
            })
            .collect::<Vec<_>>()
    });
    (1..4_usize, prop::bool::weighted(0.1), depends_on).prop_map(
        |(max_parallel, serial, depends_on)| Shape {
            max_parallel: if serial { 1 } else { max_parallel },
            serial,
            depends_on,
        },
    )
}

fn acts() -> impl Strategy<Value = Vec<(prop::sample::Index, Act)>> {
    let act = prop_oneof![
        6 => any::<bool>().prop_map(|safe| Act::Wait { safe }),
        1 => Just(Act::Withdraw),
        6 => Just(Act::Start),
        4 => Just(Act::Release),
        3 => Just(Act::End),
        1 => Just(Act::Doom),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), act), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Items 121, 129.
    #[test]
    fn the_queue_lets_go_exactly_whom_the_model_lets_go(
        shape in shapes(),
        acts in acts(),
    ) {
        let mut pair = Pair::new(shape);
        for (call, act) in acts {
            let call = call.index(pair.calls.len());
            pair.act(call, act);
        }
        pair.finish();
    }
}

fn waiting(max_parallel: usize, safe: &[bool]) -> Queue {
    let limit = NonZeroUsize::new(max_parallel).unwrap();
    let mut queue = Queue::new(limit, false, &vec![0; safe.len()]);
    for (call, &safe) in safe.iter().enumerate() {
        assert!(queue.wait(call, safe));
    }
    queue
}

fn let_go(queue: &mut Queue) -> Vec<usize> {
    std::iter::from_fn(|| queue.next()).collect()
}

/// Item 129.
#[test]
fn one_call_fewer_than_the_limit_leaves_room_for_one() {
    let mut queue = waiting(2, &[true; 3]);
    assert_eq!(let_go(&mut queue), [0, 1]);
    assert!(queue.start(0));
    queue.release(0);
    assert_eq!(let_go(&mut queue), [2]);
}

#[test]
fn nothing_passes_a_call_that_is_still_decided_about_but_what_runs_goes_on() {
    let limit = NonZeroUsize::new(8).unwrap();
    let mut queue = Queue::new(limit, false, &[0; 3]);
    assert!(queue.wait(0, true) && queue.wait(2, true));
    assert_eq!(let_go(&mut queue), [0]);
    assert!(queue.wait(1, true));
    assert_eq!(let_go(&mut queue), [1, 2]);
}

#[test]
fn a_call_that_is_refused_while_it_is_decided_about_lets_the_rest_go() {
    let limit = NonZeroUsize::new(8).unwrap();
    let mut queue = Queue::new(limit, false, &[0; 2]);
    assert!(queue.wait(1, false));
    assert!(let_go(&mut queue).is_empty());
    queue.end(0);
    assert_eq!(let_go(&mut queue), [1]);
}
