"""The formats of the shipped files, such as ``book.json`` and the atlas, and the paths of these files."""
