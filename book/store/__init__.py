"""The proof store, in SQLite."""
