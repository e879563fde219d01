"""Go Text Protocol (GTP), version 2, for our player as an engine, and for other people's engines as contestants.

The specification is the second draft by Gunnar Farnebäck, http://www.lysator.liu.se/~gunnar/gtp/. docs/guides/GTP.md
lists our extensions.
"""
