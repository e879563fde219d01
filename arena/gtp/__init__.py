"""Go Text Protocol (GTP), version 2: the player as an engine, and other people's engines as contestants.

The specification is the second draft by Gunnar Farnebäck, http://www.lysator.liu.se/~gunnar/gtp/. docs/guides/GTP.md
lists our extensions.
"""
