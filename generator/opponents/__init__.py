"""Models of the opponents that we may meet."""
