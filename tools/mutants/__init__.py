"""Plant small faults in the sources, one at a time, to test the tests of a room."""
