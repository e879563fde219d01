"""Reports of a run, and forecasts of runs to come."""
