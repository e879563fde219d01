"""Commands for those who work on the project: they keep its documents, measure it, and kill parts of it on purpose."""
