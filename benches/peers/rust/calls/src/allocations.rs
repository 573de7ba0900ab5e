//! An allocator that can count.
//!
//! Counting costs time, so it is done in passes of its own, after the measured ones. Otherwise all
//! that is added to an allocation is a look at a flag that hardly ever changes.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator. An adapter makes it its `#[global_allocator]`.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

/// What some work has allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocations {
    /// How often; growing counts as well.
    pub count: usize,
    /// How much in all; what was freed meanwhile is not taken off.
    pub bytes: usize,
}

impl Allocations {
    /// Counts what `work` allocates, on all threads.
    pub fn of<T>(work: impl FnOnce() -> T) -> (Self, T) {
        COUNT.store(0, Relaxed);
        BYTES.store(0, Relaxed);
        IS_COUNTING.store(true, Relaxed);
        let done = work();
        IS_COUNTING.store(false, Relaxed);
        (Self { count: COUNT.load(Relaxed), bytes: BYTES.load(Relaxed) }, done)
    }
}

fn note(bytes: usize) {
    if IS_COUNTING.load(Relaxed) {
        COUNT.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes, Relaxed);
    }
}

// SAFETY: every call is handed to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller has promised what `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}
