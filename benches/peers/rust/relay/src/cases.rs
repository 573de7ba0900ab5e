//! What is measured.

mod durable;
mod fanout;
mod frames;
mod group_commit;
mod hold;
mod idle;
mod paced;
mod reauth;
mod start;

use assent_bench_harness::{Request, Trial};

pub(crate) use durable::BODY_BYTES;

/// The case that is asked for, with its server started.
pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Trial>> {
    let (kind, size) = request.case.split_once('-').unwrap_or((request.case.as_str(), ""));
    let size = || size.replace('k', "000").parse().ok();
    let ours = request.peer == "assent-serve";
    match kind {
        "frame" => Some(Box::new(frames::Frames::new(request, size()?)?)),
        "fanout" => Some(Box::new(fanout::Fanout::new(request, size()?)?)),
        "durable" => match request.peer.as_str() {
            "group-commit" => Some(Box::new(group_commit::GroupCommit::new(request, size()?))),
            "fdatasync" => Some(Box::new(group_commit::Disk::new(request))),
            _ => Some(Box::new(durable::Durable::new(request, size()?)?)),
        },
        "start" => Some(Box::new(start::Start::new(request)?)),
        "paced" => match request.peer.as_str() {
            "assent-serve" => Some(Box::new(paced::Paced::new(request))),
            "raw-tcp-fdatasync" => Some(Box::new(paced::PacedLimit::new(request))),
            _ => None,
        },
        "hold" if ours => Some(Box::new(hold::Hold::new(request))),
        "reauth" if ours => Some(Box::new(reauth::Reauth::new(request, size()?))),
        "idle" => Some(Box::new(idle::Idle::new(request)?)),
        _ => None,
    }
}
