"""What only those who make the project need: measurements, fits and drawings; not installed."""
