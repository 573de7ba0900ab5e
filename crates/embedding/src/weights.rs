//! The table of vectors: a `safetensors` file.
//!
//! ```text
//! length of the head, 8 bytes │ head, JSON: {"name": {"dtype", "shape", "data_offsets"}, …} │ data
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    bytes::{half, take_u64},
    error::Fault,
};

/// Heads of the files that we read have a few hundred bytes.
const MAX_HEAD_BYTES: u64 = 1 << 20;

/// What is not a table but a note.
const NOTES: &str = "__metadata__";

/// Vectors, by number.
#[derive(Debug)]
pub(crate) struct Weights {
    /// How many numbers a vector has; at least one.
    columns: usize,
    /// All of them, row after row, as they came: 16 bits are enough to be kept.
    numbers: Numbers,
}

#[derive(Debug)]
enum Numbers {
    Halves(Box<[u16]>),
    Floats(Box<[f32]>),
}

#[derive(Deserialize)]
struct Table {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Weights {
    /// Reads the one table of a file.
    pub(crate) fn read(file: &[u8]) -> Result<Self, Fault> {
        let wrong = |what: &str| Fault::NotWeights(what.to_owned());
        let (length, rest) = take_u64(file).ok_or_else(|| wrong("it is too short"))?;
        if length > MAX_HEAD_BYTES {
            return Err(wrong("its head is too long"));
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (head, data) =
            rest.split_at_checked(length).ok_or_else(|| wrong("it ends within its head"))?;
        let mut tables: BTreeMap<String, Value> =
            serde_json::from_slice(head).map_err(|error| wrong(&error.to_string()))?;
        tables.remove(NOTES);
        let mut tables = tables.into_values();
        let (Some(table), None) = (tables.next(), tables.next()) else {
            return Err(Fault::NoTable("there are none or several".to_owned()));
        };
        let table: Table =
            serde_json::from_value(table).map_err(|error| Fault::NoTable(error.to_string()))?;
        let (from, to) = table.data_offsets;
        let data = data.get(from..to).ok_or_else(|| wrong("it ends within its table"))?;
        table.take(data)
    }

    /// How many vectors there are.
    pub(crate) fn rows(&self) -> usize {
        let numbers = match &self.numbers {
            Numbers::Halves(numbers) => numbers.len(),
            Numbers::Floats(numbers) => numbers.len(),
        };
        numbers / self.columns
    }

    /// The sum of some vectors; those that are not there add nothing.
    pub(crate) fn sum(&self, rows: &[u32]) -> Vec<f32> {
        let mut sum = vec![0.0; self.columns];
        for row in rows {
            match &self.numbers {
                Numbers::Halves(numbers) => add(&mut sum, self.row(numbers, *row), |n| half(*n)),
                Numbers::Floats(numbers) => add(&mut sum, self.row(numbers, *row), |n| *n),
            }
        }
        sum
    }

    fn row<'n, N>(&self, numbers: &'n [N], row: u32) -> &'n [N] {
        let from = (row as usize).saturating_mul(self.columns);
        numbers.get(from..from.saturating_add(self.columns)).unwrap_or_default()
    }
}

impl Table {
    fn take(self, data: &[u8]) -> Result<Weights, Fault> {
        let [rows, columns] = self.shape[..] else {
            return Err(Fault::NoTable(format!("its shape is {:?}", self.shape)));
        };
        let numbers = match self.dtype.as_str() {
            "F16" => Numbers::Halves(read(data, u16::from_le_bytes)),
            "F32" => Numbers::Floats(read(data, f32::from_le_bytes)),
            other => return Err(Fault::NoTable(format!("its numbers are `{other}`"))),
        };
        let (bytes, width) = match &numbers {
            Numbers::Halves(_) => (data.len(), 2),
            Numbers::Floats(_) => (data.len(), 4),
        };
        let expected = rows.checked_mul(columns).and_then(|count| count.checked_mul(width));
        if columns == 0 || expected != Some(bytes) {
            let shape = format!("{rows} × {columns} numbers do not fill {bytes} bytes");
            return Err(Fault::NoTable(shape));
        }
        Ok(Weights { columns, numbers })
    }
}

fn read<const WIDTH: usize, N>(data: &[u8], number: impl Fn([u8; WIDTH]) -> N) -> Box<[N]> {
    let (numbers, _) = data.as_chunks::<WIDTH>();
    numbers.iter().map(|bytes| number(*bytes)).collect()
}

fn add<N>(sum: &mut [f32], row: &[N], number: impl Fn(&N) -> f32) {
    for (sum, part) in sum.iter_mut().zip(row) {
        *sum += number(part);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Weights;

    fn file(head: &serde_json::Value, data: &[u8]) -> Vec<u8> {
        let head = head.to_string();
        [&(head.len() as u64).to_le_bytes(), head.as_bytes(), data].concat()
    }

    fn floats(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn table(dtype: &str, shape: &[usize], end: usize) -> serde_json::Value {
        json!({"t": {"dtype": dtype, "shape": shape, "data_offsets": [0, end]}, "__metadata__": {}})
    }

    #[test]
    fn vectors_are_added_up() {
        let data = floats(&[1.0, 2.0, 10.0, 20.0, 100.0, 200.0]);
        let weights = Weights::read(&file(&table("F32", &[3, 2], 24), &data)).unwrap();
        assert_eq!(weights.rows(), 3);
        assert_eq!(weights.sum(&[0, 2, 2]), [201.0, 402.0]);
        assert_eq!(weights.sum(&[7, u32::MAX]), [0.0, 0.0]);
    }

    #[test]
    fn halves_are_read_as_well() {
        let data: Vec<u8> = [0x3c00_u16, 0xc000].iter().flat_map(|n| n.to_le_bytes()).collect();
        let weights = Weights::read(&file(&table("F16", &[1, 2], 4), &data)).unwrap();
        assert_eq!(weights.sum(&[0]), [1.0, -2.0]);
    }

    #[test]
    fn what_is_not_one_table_is_refused() {
        let data = floats(&[1.0, 2.0]);
        let two = json!({"a": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]},
            "b": {"dtype": "F32", "shape": [1, 1], "data_offsets": [4, 8]}});
        for (head, why) in [
            (table("F32", &[3, 2], 8), "3 × 2 numbers do not fill 8 bytes"),
            (table("F32", &[0, 0], 0), "0 × 0"),
            (table("F32", &[usize::MAX, 2], 8), "do not fill"),
            (table("F32", &[2], 8), "its shape is [2]"),
            (table("I8", &[4, 2], 8), "its numbers are `I8`"),
            (table("F32", &[1, 2], 9), "it ends within its table"),
            (two, "there are none or several"),
            (json!({}), "there are none or several"),
            (json!({"t": 1}), "invalid type"),
        ] {
            let refused = Weights::read(&file(&head, &data)).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
        for (bytes, why) in [
            (&b"short"[..], "it is too short"),
            (&u64::MAX.to_le_bytes(), "its head is too long"),
            (&100_u64.to_le_bytes(), "it ends within its head"),
        ] {
            let refused = Weights::read(bytes).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
