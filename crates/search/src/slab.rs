//! Values with small numbers that are reused.

/// Values per page.
const PAGE: u32 = 1024;

/// Values with stable numbers.
///
/// Values are stored in pages, so that growing never moves existing values: growing a vector of a hundred
/// thousand values would occasionally stall an insertion.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    pages: Vec<Vec<Option<T>>>,
    free: Vec<u32>,
    /// One more than the largest number ever assigned.
    end: u32,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { pages: Vec::new(), free: Vec::new(), end: 0 }
    }
}

impl<T> Slab<T> {
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(number) = self.free.pop() {
            if let Some(place) = self.place(number) {
                *place = Some(value);
            }
            return number;
        }
        let number = self.end;
        if number.is_multiple_of(PAGE) {
            self.pages.push(Vec::with_capacity(PAGE as usize));
        }
        if let Some(page) = self.pages.last_mut() {
            page.push(Some(value));
        }
        self.end += 1;
        number
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.place(number)?.take()?;
        self.free.push(number);
        Some(value)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.pages.get((number / PAGE) as usize)?.get((number % PAGE) as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.place(number)?.as_mut()
    }

    fn place(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.pages.get_mut((number / PAGE) as usize)?.get_mut((number % PAGE) as usize)
    }
}
