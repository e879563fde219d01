"""The checker of certificates. It imports nothing of ours: an error elsewhere cannot hide in it."""
