"""What only those who make the project need: measurements, fits and drawings; not installed."""

import sys

# `python -m` looks for modules in the current directory first, where anybody's solver.py may be. Not from here on.
_IS_FIRST = sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated)
if _IS_FIRST and __path__[0] != f"{sys.path[0]}/{__name__}":
    del sys.path[0]
