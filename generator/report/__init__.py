"""What is told of a run, and of runs to come."""
