//! Tests of interruptions.

use InterruptBehavior::{Block, Cancel};

use super::*;

fn call(
    invocation: Option<InterruptBehavior>,
    interface: Option<InterruptBehavior>,
    policy: InterruptBehavior,
) -> Interruptible {
    Interruptible { invocation, interface, policy, supports_cancel: true, executing: true }
}

/// Item 125.
#[test]
fn the_calls_word_counts_more_than_its_tools_and_that_more_than_the_policys() {
    let cases = [
        (call(None, None, Block), OnInterrupt::Block),
        (call(None, None, Cancel), OnInterrupt::Cancel),
        (call(None, Some(Block), Cancel), OnInterrupt::Block),
        (call(None, Some(Cancel), Block), OnInterrupt::Cancel),
        (call(Some(Block), Some(Cancel), Cancel), OnInterrupt::Block),
        (call(Some(Cancel), Some(Block), Block), OnInterrupt::Cancel),
    ];
    for (call, expected) in cases {
        assert_eq!(on_interrupt(&call), expected, "{call:?}");
    }
}

#[test]
fn a_running_call_that_cannot_be_stopped_goes_on_and_says_so() {
    let stubborn = Interruptible { supports_cancel: false, ..call(Some(Cancel), None, Block) };
    assert_eq!(on_interrupt(&stubborn), OnInterrupt::CannotCancel);
    let blocking = Interruptible { invocation: Some(Block), ..stubborn };
    assert_eq!(on_interrupt(&blocking), OnInterrupt::Block, "nobody wanted it stopped");
}

#[test]
fn a_call_that_was_not_started_can_always_be_stopped() {
    let waiting = Interruptible {
        supports_cancel: false,
        executing: false,
        ..call(Some(Cancel), None, Block)
    };
    assert_eq!(on_interrupt(&waiting), OnInterrupt::Cancel);
    assert_eq!(on_cancel(false, false), OnInterrupt::Cancel);
    assert_eq!(on_cancel(false, true), OnInterrupt::CannotCancel);
}
