"""Submit jobs to processes and machines, repeat lost jobs, and return results as they arrive."""
