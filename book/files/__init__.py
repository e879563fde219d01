"""What ships and how it is packed: ``book.json``, the atlas, and where they are."""
