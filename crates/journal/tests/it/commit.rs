//! The answer to an append.

use assent_journal::{Commit, JournalError, Seq, conformance::block_on};

#[test]
fn a_commit_says_the_same_however_often_it_is_asked() {
    let (receipt, mut commit) = Commit::pending();
    receipt.settle(Ok(Seq(3)));
    assert_eq!(block_on(&mut commit), Ok(Seq(3)));
    assert_eq!(block_on(&mut commit), Ok(Seq(3)));
}

#[test]
fn a_commit_whose_store_is_gone_says_so() {
    let (receipt, commit) = Commit::pending();
    drop(receipt);
    assert!(matches!(block_on(commit), Err(JournalError::Unavailable(_))));
}

#[test]
fn a_commit_need_not_be_awaited() {
    let (receipt, commit) = Commit::pending();
    drop(commit);
    receipt.settle(Ok(Seq(1)));
}
