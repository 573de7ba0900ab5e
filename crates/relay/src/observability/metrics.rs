//! Figures about this node: plain atomics, written in the text form of Prometheus.

mod exposition;
mod figure;
mod histogram;
mod process;
mod served;
mod webhooks;

use std::time::Duration;

use assent_ids::UnixMillis;

use self::{exposition::Exposition, figure::Counter, served::ServedOperations};
pub(crate) use self::{
    figure::{Gauge, GaugeGuard},
    served::NO_OPERATION,
    webhooks::{CountWebhooks, WebhookFigures},
};

/// Everything that is counted while the node runs.
pub(crate) struct Metrics {
    started_at: UnixMillis,
    served: ServedOperations,
    pub(crate) in_flight: Gauge,
    /// Requests whose senders went away before the answer.
    pub(crate) abandoned: Counter,
    pub(crate) panics: Counter,
    pub(crate) connections: Gauge,
    pub(crate) connections_refused: Counter,
    pub(crate) events: Counter,
}

/// What is looked up at the moment of asking.
pub(crate) struct Moment {
    pub(crate) sockets: usize,
    pub(crate) long_polls: usize,
    pub(crate) clock_lead: Duration,
    pub(crate) store: assent_store::Health,
    /// `None` if the storage does not answer.
    pub(crate) webhooks: Option<WebhookFigures>,
}

impl Metrics {
    pub(crate) fn new(started_at: UnixMillis) -> Self {
        Self {
            started_at,
            served: ServedOperations::new(),
            in_flight: Gauge::default(),
            abandoned: Counter::default(),
            panics: Counter::default(),
            connections: Gauge::default(),
            connections_refused: Counter::default(),
            events: Counter::default(),
        }
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, operation: &'static str, status: u16, took: Duration) {
        self.served.count(operation, status, took);
    }

    /// All figures as text.
    pub(crate) fn write(&self, moment: &Moment) -> String {
        let mut out = Exposition::default();
        self.served.write(&mut out);
        self.write_http(&mut out);
        moment.write(&mut out);
        process::write(&mut out, self.started_at);
        out.finish()
    }

    fn write_http(&self, out: &mut Exposition) {
        out.gauge("assent_requests_in_flight", "Requests that are being served.", &self.in_flight);
        let help = "Requests whose senders went away before the answer.";
        out.counter("assent_requests_abandoned_total", help, &self.abandoned);
        out.counter("assent_panics_total", "Faults of the program that were caught.", &self.panics);
        out.gauge("assent_connections", "Open connections of any kind.", &self.connections);
        let help = "Connections that found no room.";
        out.counter("assent_connections_refused_total", help, &self.connections_refused);
        out.counter("assent_events_total", "Events that were stored by this node.", &self.events);
    }
}

impl Moment {
    fn write(&self, out: &mut Exposition) {
        out.gauge("assent_sockets", "People and agents connected by socket.", &self.sockets);
        let help = "Agents that wait for events in a long poll.";
        out.gauge("assent_long_polls", help, &self.long_polls);
        let help = "How far the relay's time is ahead of the machine's, which was set back.";
        out.gauge("assent_clock_lead_seconds", help, &self.clock_lead.as_secs());
        let help = "Transactions that were made durable.";
        out.counter("assent_store_commits_total", help, &self.store.commits);
        let help = "Units of work that wait for the storage.";
        out.gauge("assent_store_waiting", help, &self.store.waiting);
        let up = u8::from(self.webhooks.is_some());
        out.gauge("assent_store_up", "Whether the storage answered just now.", &up);
        if let Some(webhooks) = self.webhooks {
            webhooks.write(out);
        }
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        out.family("assent_build_info", "gauge", "The version of the program.");
        out.sample("assent_build_info", &version, 1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_ids::UnixMillis;

    use super::{Metrics, Moment};

    #[test]
    fn what_was_counted_is_written_and_nothing_that_never_happened() {
        let metrics = Metrics::new(UnixMillis::new(1_700_000_000_000));
        metrics.answered("health", 200, Duration::from_millis(3));
        metrics.answered("health", 200, Duration::from_millis(40));
        metrics.answered("health", 299, Duration::from_secs(90));
        metrics.answered("nothing of ours", 404, Duration::ZERO);
        let moment = Moment {
            sockets: 2,
            long_polls: 3,
            clock_lead: Duration::from_secs(3600),
            store: assent_store::Health::default(),
            webhooks: None,
        };
        let text = metrics.write(&moment);
        for line in [
            r#"assent_requests_total{operation="health",status="200"} 2"#,
            r#"assent_requests_total{operation="health",status="other"} 1"#,
            r#"assent_requests_total{operation="none",status="404"} 1"#,
            r#"assent_request_seconds_bucket{operation="health",le="0.005"} 1"#,
            r#"assent_request_seconds_bucket{operation="health",le="0.05"} 2"#,
            r#"assent_request_seconds_bucket{operation="health",le="+Inf"} 3"#,
            r#"assent_request_seconds_sum{operation="health"} 90.043"#,
            r#"assent_request_seconds_count{operation="health"} 3"#,
            "assent_sockets 2",
            "assent_long_polls 3",
            "assent_clock_lead_seconds 3600",
            "assent_store_up 0",
            "process_start_time_seconds 1700000000",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(!text.contains("ready") && !text.contains("webhook"), "{text}");
    }

    #[test]
    fn something_held_counts_until_it_is_let_go() {
        let metrics = Metrics::new(UnixMillis::new(0));
        let held = metrics.connections.hold();
        assert_eq!(metrics.connections.to_string(), "1");
        drop(held);
        assert_eq!(metrics.connections.to_string(), "0");
    }
}
