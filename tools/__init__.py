"""Commands for people who work on the project: they update documents, measure the code, and test it with faults."""
