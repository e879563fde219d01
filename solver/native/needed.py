"""A module for commands that need the kernel. If the kernel is not built, the import ends the process with one line."""

import sys

from little_go.solver.native import NoKernel, kernel_needed

try:
    with kernel_needed():
        import little_go.solver.native.kernel  # noqa: F401 - only to see whether it exists
except NoKernel as error:
    print(f"Error: {error}", file=sys.stderr)
    sys.exit(2)
