//! `get_location`: where the device is, as its owner wrote it down.

use std::sync::{PoisonError, RwLock};

use assent_json::Json;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Body, Call, Execution, Executor, Failure, Output, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    BuiltinTool,
    arguments::{self, failure, not_set_up},
};

/// The steps per degree of a coarse location: about one kilometer.
const COARSE_STEPS: f64 = 100.0;

/// The radius in which a coarse location lies at least, in meters.
const COARSE_METERS: f64 = 2000.0;

/// Where the device is. As JSON it is written with the fields `latitude`, `longitude` and `accuracy_m`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Location {
    latitude: f64,
    longitude: f64,
    #[serde(rename = "accuracy_m")]
    accuracy: f64,
}

/// A location that is not checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    latitude: f64,
    longitude: f64,
    accuracy_m: f64,
}

impl TryFrom<Written> for Location {
    type Error = LocationError;

    fn try_from(written: Written) -> Result<Self, LocationError> {
        Self::new(written.latitude, written.longitude, written.accuracy_m)
    }
}

/// Why numbers are not a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a latitude is from -90 to 90, a longitude from -180 to 180, an accuracy a number of meters from 0 on"
)]
pub struct LocationError;

impl Location {
    /// Creates a location. The latitude and the longitude are in degrees (WGS 84), the accuracy is the radius in
    /// which the device is, in meters.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(latitude: f64, longitude: f64, accuracy: f64) -> Result<Self, LocationError> {
        let is_valid = (-90.0..=90.0).contains(&latitude)
            && (-180.0..=180.0).contains(&longitude)
            && (0.0..=f64::MAX).contains(&accuracy);
        is_valid.then_some(Self { latitude, longitude, accuracy }).ok_or(LocationError)
    }

    fn coarse(self) -> Self {
        let rounded = |degrees: f64| (degrees * COARSE_STEPS).round() / COARSE_STEPS;
        Self {
            latitude: rounded(self.latitude),
            longitude: rounded(self.longitude),
            accuracy: self.accuracy.max(COARSE_METERS),
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Accuracy {
    #[default]
    Coarse,
    Precise,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    accuracy: Accuracy,
}

/// The tool `get_location`. Unless a precise location is asked for, it gives a coarse one.
#[derive(Debug, Default)]
pub struct GetLocation {
    location: RwLock<Option<Location>>,
}

impl GetLocation {
    /// Creates the tool. Without a location, every call is refused with `setup_required`.
    #[must_use]
    pub fn new(location: Option<Location>) -> Self {
        Self { location: RwLock::new(location) }
    }

    /// Replaces the location.
    pub fn set_location(&self, location: Option<Location>) {
        *self.location.write().unwrap_or_else(PoisonError::into_inner) = location;
    }

    fn find(&self, input: &Json) -> Result<Location, Refusal> {
        let arguments: Arguments = arguments::read(input)?;
        let location = *self.location.read().unwrap_or_else(PoisonError::into_inner);
        let location =
            location.ok_or_else(|| not_set_up("the settings of the device name no location"))?;
        Ok(match arguments.accuracy {
            Accuracy::Coarse => location.coarse(),
            Accuracy::Precise => location,
        })
    }
}

impl Executor for GetLocation {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async {
            let location = self.find(&call.input).map_err(failure)?;
            let result = Json::from_value(&json!({
                "latitude": location.latitude,
                "longitude": location.longitude,
                "accuracy_m": location.accuracy,
                "source": "settings",
            }));
            let result = result.map_err(|_| {
                Failure::new(ErrorClass::ExecutionFailed, "the location cannot be written as JSON")
            })?;
            Ok(Output { body: Body::Structured(result), ..Output::default() })
        })
    }

    fn preflight(&self, input: &Json) -> Result<(), Refusal> {
        self.find(input).map(drop)
    }
}

impl BuiltinTool for GetLocation {}
