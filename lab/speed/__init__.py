"""How fast the parts are, on fixed workloads."""
