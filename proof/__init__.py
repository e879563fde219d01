"""Why believe it? Certificates, the walk through the script, and contradictions in the store."""
