//! What the design forbids, checked on every build. The tests are all there is.
