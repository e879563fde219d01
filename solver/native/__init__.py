"""The native kernel, and one error where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager


class NoKernel(RuntimeError):
    """The native kernel is not there; the message is one line."""


@contextmanager
def kernel_needed() -> Iterator[None]:
    """Raise NoKernel where what is imported inside needs the kernel, and it is not built."""
    try:
        yield
    except ImportError as error:
        if error.name not in ("solver.native.kernel", "solver.native.explain"):
            raise
        raise NoKernel(
            "the native kernel is not built for this Python: run `make setup`, or install little-go again"
        ) from None
