"""Small faults planted in the sources, one at a time, to see whether the tests of their room notice."""
