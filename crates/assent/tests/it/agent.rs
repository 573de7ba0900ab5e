//! `assent agent`

mod calls;
mod crashes;
mod init;
pub(crate) mod scene;
mod scripts;
