"""Campaigns that try to break promises, by a seed: ``python -m tools.fuzz``, or ``make fuzz``."""
