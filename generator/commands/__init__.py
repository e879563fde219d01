"""The parts of ``little-go generator``."""
