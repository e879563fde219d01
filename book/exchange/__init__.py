"""Imports into the store, and exports from it."""
