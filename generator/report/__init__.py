"""Reports about runs: progress, status and the log."""
