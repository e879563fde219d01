"""Measurements of the kernel's speed on fixed workloads."""
