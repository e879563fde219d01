"""What do we know? The proof store, the compressed book, and questions put to both."""
