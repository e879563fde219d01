"""The workers that search: threads, processes, and machines of a cluster."""
