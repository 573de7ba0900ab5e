//! `GET /metrics`

use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Reply, Shape, Tag};

/// Gives figures in the text form of Prometheus.
#[derive(Clone, Copy, Debug)]
pub struct Metrics;

impl Operation for Metrics {
    const ID: &'static str = "metrics";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/metrics";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Operations;
    const SUMMARY: &'static str = "Metrics for Prometheus";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = MetricsText;
}

/// Figures, a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct MetricsText(pub String);

impl Reply for MetricsText {
    const SHAPE: Shape = Shape::Text;
}
