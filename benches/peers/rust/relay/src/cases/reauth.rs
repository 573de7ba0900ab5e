//! An agent changes what it may do, and everybody who uses it has to be asked again.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use assent_bench_harness::{Measured, Request, Trial};
use assent_test_relay::manifest;
use http::Method;
use serde_json::{Value, json};

use super::durable::calm_disk;
use crate::{
    peers::assent::Ground,
    people::{Popular, copy},
    server::Server,
};

/// Longer than telling everybody takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often we look whether everybody was told: seldom enough to cost nothing.
const LOOK: Duration = Duration::from_millis(5);

pub(super) struct Reauth {
    server: Server,
    ground: Ground,
    agent: Popular,
    people: usize,
}

impl Reauth {
    pub(super) fn new(request: &Request, people: usize) -> Self {
        let ground = Ground::new(request);
        let agent = copy(request, ground.data.path(), people);
        calm_disk();
        let server = ground.start(request);
        Self { server, ground, agent, people }
    }

    /// Publishes a manifest whose tool wants one more argument.
    fn publish(&self) -> Value {
        let mut wanted = manifest();
        wanted["agent_version"] = json!("2.0.0");
        wanted["tools"][0]["input_schema"]["properties"]["mode"] = json!({ "type": "string" });
        wanted["tools"][0]["input_schema"]["required"] = json!(["path", "mode"]);
        let body = json!({ "capability_manifest": wanted });
        let path = format!("/agents/{}", self.agent.agent_id);
        let token = &self.agent.token;
        self.ground.call(&self.server, Method::PATCH, &path, token, Some(&body))
    }

    /// Waits until so many events more were stored: one for each person, and one for the agent.
    fn wait(&self, before: u64) {
        let end = Instant::now() + PATIENCE;
        while self.events() - before < self.people as u64 + 1 {
            assert!(Instant::now() < end, "only {} events", self.events() - before);
            sleep(LOOK);
        }
    }

    fn events(&self) -> u64 {
        let metrics = self.ground.text(&self.server, "/metrics");
        let found = metrics.lines().find_map(|line| line.strip_prefix("assent_events_total "));
        found.and_then(|number| number.parse().ok()).expect("the relay counts events")
    }
}

impl Trial for Reauth {
    fn answer(&mut self) -> Value {
        let before = self.events();
        let published = self.publish();
        self.wait(before);
        let path = format!("/agents/{}/telemetry", self.agent.agent_id);
        let telemetry = self.ground.call(&self.server, Method::GET, &path, &self.agent.token, None);
        let breaking = published["breaking_changes"].as_array().map_or(0, Vec::len);
        json!({"breaking": breaking, "asked": telemetry["relations"]["awaiting_reauth"]})
    }

    fn measure(&mut self, _time: Duration) -> Measured {
        let before = self.events();
        let start = self.server.now();
        self.publish();
        self.wait(before);
        let spent = self.server.since(&start);
        let peak_rss_kib = self.server.peak_kib();
        Measured { operations: self.people, spent, peak_rss_kib, figures: Vec::new() }
    }
}
