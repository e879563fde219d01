"""The checker of certificates. It imports no other package of the project, so an error elsewhere cannot affect it."""
