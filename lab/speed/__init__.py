"""The speed of the parts, on fixed workloads."""
