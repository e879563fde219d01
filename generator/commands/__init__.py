"""The parts of ``python -m generator``."""
