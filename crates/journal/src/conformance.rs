//! The tests that every store has to pass.
//!
//! [`journal_conformance!`](crate::journal_conformance) makes a test of each, given a function that
//! runs a closure on an empty journal:
//!
//! ```ignore
//! assent_journal::journal_conformance!(|test| test(&MemoryJournal::new()));
//! ```
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "these are tests, which fail by panicking"
)]

mod claims;
mod executor;
mod following;
mod reading;
pub mod sample;
mod saved_states;
mod writing;

pub use claims::*;
pub use executor::block_on;
pub use following::*;
pub use reading::*;
pub use saved_states::*;
pub use writing::*;

/// Makes a test of every case. The argument is called with a test and runs it on an empty journal.
#[macro_export]
macro_rules! journal_conformance {
    ($with_journal:expr) => {
        $crate::journal_conformance! { $with_journal;
            entries_are_numbered_from_one_in_the_order_of_appends
            a_page_begins_where_it_is_asked_to_and_ends_at_its_limit
            a_call_is_found_with_all_its_entries_and_no_others
            an_unknown_call_has_no_entries
            every_kind_of_fact_is_read_as_it_was_written
            what_is_nested_deeply_is_read_as_it_was_written
            a_journal_survives_being_exported_and_imported
            facts_out_of_step_are_refused_and_leave_nothing
            a_batch_without_facts_is_a_batch
            a_commit_that_is_dropped_is_made_nevertheless
            batches_of_many_threads_stay_whole
            a_claim_is_won_by_exactly_one_of_a_thousand
            a_claim_is_won_exactly_as_often_as_its_limit_says
            a_refused_claim_leaves_nothing_of_its_batch
            a_claim_twice_in_one_batch_counts_twice
            a_claim_of_nothing_is_refused
            saved_states_are_replaced_and_listed_in_the_order_of_calls
            a_released_state_is_gone
            the_redaction_key_is_the_first_one
            a_subscription_follows_concurrent_writers_without_gap_or_repetition
            a_subscription_begins_where_it_is_asked_to
            a_subscription_waits_for_what_is_not_there_yet
            an_abandoned_wait_loses_nothing
        }
    };
    ($with_journal:expr; $($case:ident)+) => {
        $(
            #[test]
            fn $case() {
                let with_journal: fn(&dyn Fn(&dyn $crate::Journal)) = $with_journal;
                with_journal(&|journal| {
                    $crate::conformance::block_on($crate::conformance::$case(journal));
                });
            }
        )+
    };
}
