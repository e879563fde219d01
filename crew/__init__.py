"""Submit jobs to processes and machines, repeat lost jobs, and return the results as they arrive."""
