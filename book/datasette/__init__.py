"""The store in Datasette: a plugin and the file datasette.yaml, which ``make datasette`` uses."""
