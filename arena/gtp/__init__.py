"""Go Text Protocol, version 2: the player as an engine, and engines as contestants.

Specification: second draft by Gunnar Farnebäck, http://www.lysator.liu.se/~gunnar/gtp/. docs/guides/GTP.md lists our
extensions.
"""
