"""The proof store, which is a SQLite file."""
