"""Imported by commands that can do nothing without the kernel: where it is not built, the process ends in one line."""

import sys

from solver.native import NoKernel, kernel_needed

try:
    with kernel_needed():
        import solver.native.kernel  # noqa: F401 - only whether it is there
except NoKernel as error:
    print(f"Error: {error}", file=sys.stderr)
    sys.exit(2)
