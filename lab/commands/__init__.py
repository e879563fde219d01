"""The commands of ``python -m lab``: a module for each."""
