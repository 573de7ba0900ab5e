//! What was done to files, written down.

use std::{fs, path::Path};

/// Writes down, in the file `TAPE`, what is done to the database in the directory `TAPED`: a letter for what it
/// was, the name of the file, where, how much, and the bytes.
pub(super) const RECORDER: &str = r#"
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/types.h>
    #include <unistd.h>

    static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
    static ssize_t (*put)(int, const void *, size_t);

    /* The name of a file of the database, or nothing. */
    static const char *named(const char *path) {
        const char *directory = getenv("TAPED");
        size_t length = directory ? strlen(directory) : 0;
        if (!length || strncmp(path, directory, length) || path[length] != '/') return NULL;
        const char *name = path + length + 1;
        return strncmp(name, "relay.db", 8) ? NULL : name;
    }

    static const char *opened(int fd, char *room, size_t size) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t length = readlink(link, room, size - 1);
        if (length < 0) return NULL;
        room[length] = 0;
        return named(room);
    }

    static void tell(char what, const char *name, uint64_t at, uint64_t length, const void *bytes) {
        static int tape = -1;
        if (!put) put = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
        if (tape < 0) tape = open(getenv("TAPE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        size_t named = strlen(name), head = 2 + named + 16, whole = head + (bytes ? length : 0);
        char *entry = malloc(whole);
        entry[0] = what;
        entry[1] = (char)named;
        memcpy(entry + 2, name, named);
        memcpy(entry + 2 + named, &at, 8);
        memcpy(entry + 2 + named + 8, &length, 8);
        if (bytes) memcpy(entry + head, bytes, length);
        /* One call: whoever looks how long the tape is sees whole entries. */
        if (put(tape, entry, whole) != (ssize_t)whole) abort();
        free(entry);
    }

    #define REAL(type, name) static type real; \
        if (!real) real = (type)dlsym(RTLD_NEXT, #name)

    typedef ssize_t (*writing)(int, const void *, size_t, off64_t);
    #define WRITE_AT(name) ssize_t name(int fd, const void *bytes, size_t length, off64_t at) { \
        REAL(writing, name); \
        char room[4096]; const char *file = opened(fd, room, sizeof room); \
        if (!file) return real(fd, bytes, length, at); \
        pthread_mutex_lock(&order); \
        ssize_t done = real(fd, bytes, length, at); \
        if (done > 0) tell('W', file, (uint64_t)at, (uint64_t)done, bytes); \
        pthread_mutex_unlock(&order); \
        return done; }
    WRITE_AT(pwrite)
    WRITE_AT(pwrite64)

    typedef int (*cutting)(int, off64_t);
    #define CUT(name) int name(int fd, off64_t length) { \
        REAL(cutting, name); \
        char room[4096]; const char *file = opened(fd, room, sizeof room); \
        if (!file) return real(fd, length); \
        pthread_mutex_lock(&order); \
        int failed = real(fd, length); \
        if (!failed) tell('T', file, (uint64_t)length, 0, NULL); \
        pthread_mutex_unlock(&order); \
        return failed; }
    CUT(ftruncate)
    CUT(ftruncate64)

    typedef int (*syncing)(int);
    #define SYNC(name) int name(int fd) { \
        REAL(syncing, name); \
        char room[4096]; const char *file = opened(fd, room, sizeof room); \
        if (!file) return real(fd); \
        pthread_mutex_lock(&order); \
        int failed = real(fd); \
        if (!failed) tell('S', file, 0, 0, NULL); \
        pthread_mutex_unlock(&order); \
        return failed; }
    SYNC(fsync)
    SYNC(fdatasync)

    typedef int (*removing)(const char *);
    int unlink(const char *path) {
        REAL(removing, unlink);
        const char *file = named(path);
        if (!file) return real(path);
        pthread_mutex_lock(&order);
        int failed = real(path);
        if (!failed) tell('U', file, 0, 0, NULL);
        pthread_mutex_unlock(&order);
        return failed;
    }
"#;

/// Everything that was done, in order.
pub(super) struct Tape {
    pub(super) ops: Vec<Op>,
}

/// Something that was done to a file.
pub(super) struct Op {
    pub(super) file: String,
    pub(super) what: What,
    /// Where it ends on the tape.
    pub(super) end: u64,
}

pub(super) enum What {
    Write { at: usize, bytes: Vec<u8> },
    Truncate { length: usize },
    Sync,
    Remove,
}

impl Tape {
    pub(super) fn read(file: &Path) -> Self {
        let tape = fs::read(file).unwrap();
        let mut rest = &tape[..];
        let mut ops = Vec::new();
        while !rest.is_empty() {
            let [kind, length] = take(&mut rest, 2).try_into().unwrap();
            let file = String::from_utf8(take(&mut rest, length.into()).to_vec()).unwrap();
            let (at, length) = (number(&mut rest), number(&mut rest));
            let what = match kind {
                b'W' => What::Write { at, bytes: take(&mut rest, length).to_vec() },
                b'T' => What::Truncate { length: at },
                b'S' => What::Sync,
                b'U' => What::Remove,
                other => panic!("`{other}` is nothing that is written down"),
            };
            ops.push(Op { file, what, end: (tape.len() - rest.len()) as u64 });
        }
        Self { ops }
    }

    pub(super) fn length(&self) -> u64 {
        self.ops.last().map_or(0, |op| op.end)
    }

    pub(super) fn syncs(&self) -> usize {
        self.ops.iter().filter(|op| matches!(op.what, What::Sync)).count()
    }
}

fn take<'t>(rest: &mut &'t [u8], length: usize) -> &'t [u8] {
    let (taken, left) = rest.split_at(length);
    *rest = left;
    taken
}

fn number(rest: &mut &[u8]) -> usize {
    let bytes: [u8; 8] = take(rest, 8).try_into().unwrap();
    usize::try_from(u64::from_ne_bytes(bytes)).unwrap()
}
