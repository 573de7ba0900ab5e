//! Input schemas: compiled within bounds, checked quickly, compared by meaning.
