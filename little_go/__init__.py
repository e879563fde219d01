"""The command ``little-go``: all packages' commands, and short names for the most common ones."""

import os
import sys

# With `python -m`, or an empty entry in PYTHONPATH, Python imports from the current directory, where anybody's
# solver.py may be. Not from here on.
try:
    _HERE = os.getcwd()
except OSError:
    _HERE = ""
if __path__[0] != os.path.join(_HERE, __name__):
    sys.path[:] = [place for place in sys.path if place not in ("", _HERE)]

from runtime.ctrl_c import end_at_once

end_at_once()
