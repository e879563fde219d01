"""Small faults planted in the sources, one at a time, to test the tests of their room."""
