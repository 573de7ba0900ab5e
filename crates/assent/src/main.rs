//! The one binary of Assent.

fn main() {}
