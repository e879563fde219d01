"""The checker of certificates. It imports no other module of the project, so an error elsewhere cannot affect it."""
