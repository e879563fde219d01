"""Search for new results: send questions to workers, and store the answers.

The commands of ``little-go generator`` are in ``__main__``. A SearchRun has a store, a table and a crew of workers,
which search shorter games, an atlas or a closure.
"""
