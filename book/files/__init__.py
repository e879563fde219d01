"""The files that ship, their formats and their places: ``book.json`` and the atlas."""
