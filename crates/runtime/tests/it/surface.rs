//! What a caller may use.

mod barring;
mod loading;
mod offer;
