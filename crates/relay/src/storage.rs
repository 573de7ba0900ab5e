//! What the relay stores: its tables, the write-behind buffer, retention, backups and sealed secrets.

pub(crate) mod backup;
pub(crate) mod columns;
pub(crate) mod cursor;
pub(crate) mod data_directory;
pub(crate) mod message_buffer;
pub(crate) mod pages;
pub(crate) mod retention;
pub(crate) mod schema;
pub(crate) mod stored_id;
#[cfg(test)]
pub(crate) mod test_store;
pub(crate) mod times;
pub(crate) mod ttl_cell;
pub(crate) mod vault;
