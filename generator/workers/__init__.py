"""Who searches: threads, processes, and machines of a cluster."""
