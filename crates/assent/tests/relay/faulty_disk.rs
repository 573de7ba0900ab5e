//! A disk that fails on demand, without privileges.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::preload;

/// Fails what is done to files whose paths hold `FAULTY_FILES`, in the way that the first letter of the file
/// `FAULTY_DISK` says: `f` lets nothing grow, `n` takes nothing at all, `s` makes nothing durable.
const LIBRARY: &str = r#"
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static char fault(void) {
        const char *file = getenv("FAULTY_DISK");
        int kept = errno, fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
        char letter = 0;
        if (fd >= 0) {
            if (read(fd, &letter, 1) != 1) letter = 0;
            close(fd);
        }
        errno = kept;
        return letter;
    }

    static int is_concerned(int fd) {
        char link[64], path[4096];
        const char *files = getenv("FAULTY_FILES");
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length < 0 || !files) return 0;
        path[length] = 0;
        return strstr(path, files) != NULL;
    }

    /* Whether bytes up to `end` find no room. */
    static int is_refused(int fd, off64_t end) {
        char letter = fault();
        if ((letter != 'f' && letter != 'n') || !is_concerned(fd)) return 0;
        struct stat64 found;
        int is_growing = fstat64(fd, &found) == 0 && found.st_size < end;
        if (letter == 'f' && !is_growing) return 0;
        errno = ENOSPC;
        return 1;
    }

    #define REAL(type, name) static type real; \
        if (!real) real = (type)dlsym(RTLD_NEXT, #name)

    typedef ssize_t (*writing)(int, const void *, size_t, off64_t);
    #define WRITE_AT(name) ssize_t name(int fd, const void *bytes, size_t length, off64_t at) { \
        REAL(writing, name); \
        return is_refused(fd, at + (off64_t)length) ? -1 : real(fd, bytes, length, at); }
    WRITE_AT(pwrite)
    WRITE_AT(pwrite64)

    typedef ssize_t (*gathering)(int, const struct iovec *, int, off64_t);
    #define GATHER_AT(name) ssize_t name(int fd, const struct iovec *parts, int count, off64_t at) { \
        REAL(gathering, name); \
        off64_t end = at; \
        for (int part = 0; part < count; part++) end += (off64_t)parts[part].iov_len; \
        return is_refused(fd, end) ? -1 : real(fd, parts, count, at); }
    GATHER_AT(pwritev)
    GATHER_AT(pwritev64)

    typedef int (*reserving)(int, off64_t, off64_t);
    #define RESERVE(name) int name(int fd, off64_t at, off64_t length) { \
        REAL(reserving, name); \
        return is_refused(fd, at + length) ? ENOSPC : real(fd, at, length); }
    RESERVE(posix_fallocate)
    RESERVE(posix_fallocate64)

    typedef int (*syncing)(int);
    #define SYNC(name) int name(int fd) { \
        REAL(syncing, name); \
        if (fault() == 's' && is_concerned(fd)) { errno = EIO; return -1; } \
        return real(fd); }
    SYNC(fsync)
    SYNC(fdatasync)
"#;

/// What is wrong with it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// No file grows any more.
    Full,
    /// Nothing is taken, wherever it goes.
    TakesNothing,
    /// Nothing is made durable.
    DoesNotSync,
}

/// The disk of a process that is started with its variables.
pub(crate) struct FaultyDisk {
    tools: TempDir,
    library: PathBuf,
    files: &'static str,
}

impl FaultyDisk {
    /// A disk that is well, and may fail for files whose paths hold `files`.
    pub(crate) fn new(files: &'static str) -> Self {
        let tools = tempfile::tempdir().unwrap();
        // A server may run as another user.
        fs::set_permissions(tools.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let library = preload::build(tools.path(), LIBRARY);
        Self { tools, library, files }
    }

    pub(crate) fn environment(&self) -> [(&'static str, String); 3] {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        [
            ("LD_PRELOAD", text(&self.library)),
            ("FAULTY_DISK", text(&self.switch())),
            ("FAULTY_FILES", self.files.to_owned()),
        ]
    }

    /// From now on it fails.
    pub(crate) fn fail(&self, fault: Fault) {
        let letter = match fault {
            Fault::Full => "f",
            Fault::TakesNothing => "n",
            Fault::DoesNotSync => "s",
        };
        // Replaced atomically, because it may be read in between.
        let half = self.tools.path().join("half");
        fs::write(&half, letter).unwrap();
        fs::rename(half, self.switch()).unwrap();
    }

    /// From now on it is well.
    pub(crate) fn heal(&self) {
        fs::remove_file(self.switch()).unwrap();
    }

    fn switch(&self) -> PathBuf {
        self.tools.path().join("fault")
    }
}
