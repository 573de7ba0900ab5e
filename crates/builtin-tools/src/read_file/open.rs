//! Opens files beneath a root, so that no change of the file system can lead outside.

use std::{fmt, fs::File, os::fd::OwnedFd};

use rustix::{
    fs::{
        AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Statx, StatxFlags, StatxTimestamp,
        openat2, statx,
    },
    io::Errno,
};

/// How often a file is opened again that changes while it is opened.
const ATTEMPTS: usize = 16;

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("there is no such file")]
    Missing,
    #[error("links and mount points below the folder are not followed")]
    Link,
    #[error("the data of the device itself is not read")]
    Data,
    #[error("only regular files with exactly one name are read")]
    NotAFile,
    #[error("the folder from which files may be read is not there; choose it again")]
    RootMissing,
    #[error("the file changes all the time; try again")]
    Changing,
    #[error("the file cannot be opened")]
    Unreadable,
}

/// What distinguishes a file from all others, also from later ones with the same inode number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: (u32, u32),
    inode: u64,
    /// When it was created; zero if the file system does not know.
    created: (i64, u32),
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { device: (major, minor), inode, created: (seconds, nanoseconds) } = self;
        write!(f, "{major}:{minor}:{inode}:{seconds}.{nanoseconds:09}")
    }
}

/// A file that is open for reading.
pub(super) struct Opened {
    pub(super) file: File,
    pub(super) identity: Identity,
    pub(super) size: u64,
}

/// What is compared of a file before and after it is opened.
#[derive(PartialEq, Eq)]
struct State {
    identity: Identity,
    is_regular: bool,
    names: u32,
    /// The time of the last change of the content, the names or the rights.
    changed: (i64, u32),
    size: u64,
}

impl State {
    fn of(file: &OwnedFd) -> Result<Self, Problem> {
        let stat =
            statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::BASIC_STATS | StatxFlags::BTIME);
        let stat = stat.map_err(|_| Problem::Unreadable)?;
        Ok(Self {
            identity: identity(&stat),
            is_regular: FileType::from_raw_mode(stat.stx_mode.into()) == FileType::RegularFile,
            names: stat.stx_nlink,
            changed: moment(stat.stx_ctime),
            size: stat.stx_size,
        })
    }

    fn is_readable(&self) -> bool {
        self.is_regular && self.names == 1
    }
}

fn identity(stat: &Statx) -> Identity {
    let knows_creation = stat.stx_mask & StatxFlags::BTIME.bits() != 0;
    Identity {
        device: (stat.stx_dev_major, stat.stx_dev_minor),
        inode: stat.stx_ino,
        created: if knows_creation { moment(stat.stx_btime) } else { (0, 0) },
    }
}

fn moment(time: StatxTimestamp) -> (i64, u32) {
    (time.tv_sec, time.tv_nsec)
}

/// The identity of a folder whose path has no links.
pub(super) fn identity_of_folder(path: &str) -> Result<Identity, Problem> {
    Ok(State::of(&root(path)?)?.identity)
}

/// Looks which file is there, without opening it for reading.
pub(super) fn identify(
    root: &str,
    relative: &[String],
    data: &Identity,
) -> Result<Identity, Problem> {
    Ok(reach(root, relative, data, OFlags::PATH)?.1.identity)
}

/// Opens a file for reading.
pub(super) fn open(root: &str, relative: &[String], data: &Identity) -> Result<Opened, Problem> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
    let (file, state) = reach(root, relative, data, flags)?;
    Ok(Opened { file: File::from(file), identity: state.identity, size: state.size })
}

/// Opens the file twice: first without touching it, to see what it is, and then with `flags`. Both times it
/// must be the same file with one name and without a change in between. So its one name is the one by which it
/// was opened the second time, and no other path leads to it.
fn reach(
    path: &str,
    relative: &[String],
    data: &Identity,
    flags: OFlags,
) -> Result<(OwnedFd, State), Problem> {
    let Some((name, folders)) = relative.split_last() else { return Err(Problem::NotAFile) };
    for _ in 0..ATTEMPTS {
        let folder = walk(path, folders, data)?;
        let before = State::of(&beneath(&folder, name, OFlags::PATH)?)?;
        if before.identity == *data {
            return Err(Problem::Data);
        }
        if !before.is_readable() {
            return Err(Problem::NotAFile);
        }
        let file = beneath(&folder, name, flags)?;
        let state = State::of(&file)?;
        if state == before {
            return Ok((file, state));
        }
    }
    Err(Problem::Changing)
}

/// Opens folder after folder, and looks at each whether it is the one with the device's data.
fn walk(path: &str, folders: &[String], data: &Identity) -> Result<OwnedFd, Problem> {
    let mut folder = root(path)?;
    refuse_data(&folder, data)?;
    for name in folders {
        folder = beneath(&folder, name, OFlags::PATH | OFlags::DIRECTORY)?;
        refuse_data(&folder, data)?;
    }
    Ok(folder)
}

fn refuse_data(folder: &OwnedFd, data: &Identity) -> Result<(), Problem> {
    match State::of(folder)?.identity == *data {
        true => Err(Problem::Data),
        false => Ok(()),
    }
}

/// Opens a root. If a part of its path has become a link, it is not the folder that the owner chose.
fn root(path: &str) -> Result<OwnedFd, Problem> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(CWD, path, flags, Mode::empty(), resolve).map_err(|_| Problem::RootMissing)
}

fn beneath(folder: &OwnedFd, name: &str, flags: OFlags) -> Result<OwnedFd, Problem> {
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    let opened = openat2(folder, name, flags | OFlags::CLOEXEC, Mode::empty(), resolve);
    opened.map_err(|error| match error {
        Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => Problem::Missing,
        Errno::LOOP | Errno::XDEV => Problem::Link,
        _ => Problem::Unreadable,
    })
}
