"""Measurements, fits and drawings for the project's makers; not installed."""
