//! Answers by operation and status, and how long they took.

use std::{collections::BTreeMap, time::Duration};

use assent_relay_api::{admin_operations, operations};

use super::{
    exposition::Exposition,
    figure::Counter,
    histogram::{Histogram, Names},
};

/// The name of requests that no operation serves.
pub(crate) const NO_OPERATION: &str = "none";

/// Statuses with a counter of their own. Any other counts as `other`.
const STATUSES: [(u16, &str); 22] = [
    (101, "101"),
    (200, "200"),
    (201, "201"),
    (204, "204"),
    (304, "304"),
    (400, "400"),
    (401, "401"),
    (403, "403"),
    (404, "404"),
    (405, "405"),
    (408, "408"),
    (409, "409"),
    (412, "412"),
    (413, "413"),
    (414, "414"),
    (415, "415"),
    (422, "422"),
    (423, "423"),
    (429, "429"),
    (431, "431"),
    (500, "500"),
    (503, "503"),
];

const REQUESTS: &str = "assent_requests_total";
const SECONDS: &str = "assent_request_seconds";
const LINES: Names = Names {
    bucket: "assent_request_seconds_bucket",
    sum: "assent_request_seconds_sum",
    count: "assent_request_seconds_count",
};

/// Every operation, with what became of its requests.
pub(super) struct ServedOperations {
    operations: BTreeMap<&'static str, Served>,
    none: Served,
}

#[derive(Default)]
struct Served {
    statuses: [Counter; STATUSES.len()],
    other: Counter,
    seconds: Histogram,
}

impl ServedOperations {
    pub(super) fn new() -> Self {
        let described = operations().iter().chain(admin_operations());
        let operations = described.map(|operation| (operation.id, Served::default())).collect();
        Self { operations, none: Served::default() }
    }

    pub(super) fn count(&self, operation: &str, status: u16, took: Duration) {
        let served = self.operations.get(operation).unwrap_or(&self.none);
        let known = STATUSES.iter().zip(&served.statuses).find(|((known, _), _)| *known == status);
        known.map_or(&served.other, |(_, counter)| counter).add(1);
        served.seconds.count(took);
    }

    /// Operations that were never called are left out.
    pub(super) fn write(&self, out: &mut Exposition) {
        out.family(REQUESTS, "counter", "Answers by operation and status.");
        for (operation, served) in self.called() {
            for (status, counter) in served.answers() {
                out.sample(REQUESTS, &[("operation", operation), ("status", status)], counter);
            }
        }
        out.family(SECONDS, "histogram", "How long answers took, by operation.");
        for (operation, served) in self.called() {
            served.seconds.write(out, &LINES, operation);
        }
    }

    fn called(&self) -> impl Iterator<Item = (&'static str, &Served)> {
        let all = self.operations.iter().map(|(operation, served)| (*operation, served));
        all.chain([(NO_OPERATION, &self.none)]).filter(|(_, served)| served.answers().count() > 0)
    }
}

impl Served {
    fn answers(&self) -> impl Iterator<Item = (&'static str, &Counter)> {
        let known = STATUSES.iter().zip(&self.statuses).map(|((_, text), count)| (*text, count));
        known.chain([("other", &self.other)]).filter(|(_, count)| count.get() > 0)
    }
}
