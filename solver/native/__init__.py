"""The native kernel: which of the two that were compiled runs here; and one error where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: What a processor has, by Linux's names, on which the kernel in _MODERN runs; gcc and others call it x86-64-v3.
_NEEDED = {"abm", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}
_MODERN = Path(__file__).with_name("x86_64_v3")


def is_modern(cpuinfo: str | Path = "/proc/cpuinfo") -> bool:
    """Return whether the processor has all that the faster kernel needs; False where nothing says so."""
    with suppress(OSError), open(cpuinfo, encoding="ascii", errors="replace") as lines:
        # The first processor's: to list them all takes Linux long.
        flags = next((line for line in lines if line.startswith("flags")), "")
        return set(flags.split()) >= _NEEDED
    return False


if is_modern():
    __path__.insert(0, str(_MODERN))


class NoKernel(RuntimeError):
    """The native kernel is not there; the message is one line."""


@contextmanager
def kernel_needed() -> Iterator[None]:
    """Raise NoKernel where what is imported inside needs the kernel, and it is not built."""
    try:
        yield
    except ImportError as error:
        if error.name != "solver.native.kernel":
            raise
        raise NoKernel("the native kernel is not built for this Python: run `make setup`") from None
