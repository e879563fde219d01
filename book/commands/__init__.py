"""The parts of ``little-go book``."""
