"""What is this position worth? Rules, symmetry, and the searches that answer."""
