//! `assent agent`

mod calls;
mod crashes;
mod init;
mod scene;
mod scripts;
