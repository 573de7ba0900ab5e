//! Units of work for the tests.

use assent_store::{Row, StoreError, Tx, Work};

const BUMP: &str = "INSERT INTO counters (name, value) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value RETURNING value";
const VALUE: &str = "SELECT coalesce(max(value), 0) FROM counters WHERE name = $1";
const SET: &str = "INSERT INTO counters (name, value) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// Adds to a counter, in one of several ways.
pub(crate) struct Add {
    name: &'static str,
    way: Way,
}

enum Way {
    One,
    TwoSteps,
    AfterReading,
}

impl Add {
    pub(crate) const fn one(name: &'static str) -> Self {
        Self { name, way: Way::One }
    }

    pub(crate) const fn two_steps(name: &'static str) -> Self {
        Self { name, way: Way::TwoSteps }
    }

    pub(crate) const fn after_reading(name: &'static str) -> Self {
        Self { name, way: Way::AfterReading }
    }
}

impl Work for Add {
    type Output = i64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        let one = &[self.name.into(), 1_i64.into()];
        match self.way {
            Way::One => tx.scalar(BUMP, one).await,
            Way::TwoSteps => {
                tx.execute(BUMP, one).await?;
                tx.scalar(BUMP, one).await
            }
            Way::AfterReading => {
                tx.lock(self.name).await?;
                let value: i64 = tx.scalar(VALUE, &[self.name.into()]).await?;
                tx.execute(SET, &[self.name.into(), (value + 1).into()]).await?;
                Ok(value + 1)
            }
        }
    }
}

pub(crate) struct AddThenFail(pub(crate) &'static str);

impl Work for AddThenFail {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(BUMP, &[self.0.into(), 1_i64.into()]).await?;
        Err(StoreError::Refused("on purpose".to_owned()))
    }
}

pub(crate) struct Panic;

impl Work for Panic {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(BUMP, &["a".into(), 1_i64.into()]).await?;
        if tx.dialect() == assent_store::Dialect::Sqlite {
            panic!("on purpose");
        }
        Err(StoreError::Closed)
    }
}

pub(crate) struct Total(pub(crate) &'static str);

impl Work for Total {
    type Output = i64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        tx.scalar(VALUE, &[self.0.into()]).await
    }
}

pub(crate) struct Read {
    pub(crate) name: &'static str,
    pub(crate) times: usize,
}

impl Work for Read {
    type Output = Vec<i64>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<i64>, StoreError> {
        let mut seen = Vec::new();
        for _ in 0..self.times {
            seen.push(tx.scalar(VALUE, &[self.name.into()]).await?);
        }
        Ok(seen)
    }
}

pub(crate) struct Echo {
    pub(crate) id: i64,
    pub(crate) note: Option<&'static str>,
    pub(crate) body: Vec<u8>,
    pub(crate) doc: &'static str,
}

impl Work for Echo {
    type Output = Row;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Row, StoreError> {
        // The parameters first appear out of order.
        let insert = "INSERT INTO things (doc, body, note, id) VALUES ($4, $3, $2, $1)";
        let values =
            [self.id.into(), self.note.into(), self.body.as_slice().into(), self.doc.into()];
        tx.execute(insert, &values).await?;
        tx.one("SELECT id, note, body, doc FROM things WHERE id = $1", &[self.id.into()]).await
    }
}

pub(crate) struct Wrong;

impl Work for Wrong {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute("INSERT INTO no_such_table (a) VALUES (1)", &[]).await
    }
}

/// Adds, and ends with something that is refused, of which it does not wait to hear.
pub(crate) struct AddThenClash(pub(crate) &'static str);

impl Work for AddThenClash {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(BUMP, &[self.0.into(), 1_i64.into()]).await?;
        for _ in 0..2 {
            tx.execute("INSERT INTO things (id) VALUES ($1)", &[1_i64.into()]).await?;
        }
        tx.execute(BUMP, &[self.0.into(), 1_i64.into()]).await
    }
}

/// Adds, and ends with a number that does not fit where it goes: PostgreSQL never gets to see it.
pub(crate) struct AddThenOverflow(pub(crate) &'static str);

impl Work for AddThenOverflow {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(BUMP, &[self.0.into(), 1_i64.into()]).await?;
        let narrow = "UPDATE counters SET value = CAST($1 AS INTEGER) WHERE name = 'other'";
        tx.execute(narrow, &[i64::MAX.into()]).await
    }
}

/// Sets a counter to each number up to this one, and then reads it.
pub(crate) struct CountTo(pub(crate) i64);

impl Work for CountTo {
    type Output = i64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        for number in 1..=self.0 {
            tx.execute(SET, &["count".into(), number.into()]).await?;
        }
        tx.scalar(VALUE, &["count".into()]).await
    }
}

pub(crate) struct WaitElsewhere;

impl Work for WaitElsewhere {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, _: &mut Tx) -> Result<(), StoreError> {
        std::future::pending().await
    }
}
