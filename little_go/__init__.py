"""The command ``little-go``: the commands of all packages, and short names for the most common ones."""

import os
import sys

# By `python -m`, and where PYTHONPATH has an empty entry, Python looks for modules in the current directory, where
# anybody's solver.py may be. Not from here on.
try:
    _HERE = os.getcwd()
except OSError:
    _HERE = ""
if __path__[0] != os.path.join(_HERE, __name__):
    sys.path[:] = [place for place in sys.path if place not in ("", _HERE)]

from runtime.ctrl_c import end_at_once

end_at_once()
