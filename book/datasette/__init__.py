"""The store in Datasette: a plugin, read by ``make datasette`` beside datasette.yaml."""
