"""Into the store and out of it."""
