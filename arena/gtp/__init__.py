"""Go Text Protocol, version 2: the player as an engine, and engines as contestants.

The specification is the second draft by Gunnar Farnebäck, http://www.lysator.liu.se/~gunnar/gtp/. What is ours
in it is told in docs/guides/GTP.md.
"""
