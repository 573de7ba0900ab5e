//! Health, readiness, metrics and the OpenAPI document.

mod get_openapi;
mod health;
mod metrics;
mod ready;

pub use get_openapi::{GetOpenApi, OpenApiDocument};
pub use health::{Health, HealthStatus};
pub use metrics::{Metrics, MetricsText};
pub use ready::{Ready, ReadyStatus};
