"""Commands that measure the project and make its data, for people who work in a clone."""
