"""The parts of ``python -m book``."""
