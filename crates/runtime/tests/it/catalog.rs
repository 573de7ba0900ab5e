//! Which tools there are: what is accepted, what is refused, what a name leads to.

mod identity;
mod records;
mod registration;
mod safety;
mod schemas;
mod sensitive;
