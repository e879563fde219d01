"""Make the seccomp(2) filter that allows only the system calls that a sandbox's programs need on Linux.

``system_calls.txt`` lists the allowed calls. Every other call fails with ENOSYS, as on an older kernel, so that
libraries fall back to another call. A program can open only sockets of the family AF_UNIX, so it reaches no network,
even if the kernel supports other families of sockets.
"""

import errno
import os
import platform
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from little_go.arena.match.limits import SandboxError
from little_go.runtime.files import read_text

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

_TABLE = Path(__file__).with_name("system_calls.txt")

#: Maximum bytes of system_calls.txt.
_MOST_TABLE = 1 << 16

#: Maps each kind of machine to the kernel's number for it (AUDIT_ARCH), and to its column in the table of calls.
_MACHINES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}

#: All flags of clone(2) that make a namespace, which are the flags whose names begin with CLONE_NEW.
_NEW_NAMESPACE = 0x7E020000

#: The operations of a filter's instructions: load a word of struct seccomp_data; test whether the word is equal to a
#: value, is at least the value, or has a bit of the value; end.
_LOAD, _EQUAL, _AT_LEAST, _HAS, _END = 0x20, 0x15, 0x35, 0x45, 0x06

#: The offsets of three fields in struct seccomp_data: the number of the call, the number of the machine, and the lower
#: half of the first argument.
_CALL, _MACHINE, _ARGUMENT = 0, 4, 16

#: The results of a filter: to allow a call, or to refuse it with an error whose number is added.
_ALLOW, _REFUSE = 0x7FFF0000, 0x50000

#: An instruction of a filter: the operation, the number of instructions to skip if its test is true, the number to skip
#: if the test is false, and the value.
_Step = tuple[int, int, int, int]


@contextmanager
def system_call_filter() -> Iterator[int]:
    """Yield a descriptor from which bubblewrap can read the filter of system calls.

    Raise SandboxError if the table has no system calls for this kind of machine.
    """
    descriptor = os.memfd_create("filter")
    try:
        os.write(descriptor, _filter(platform.machine()))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


@cache
def _filter(machine: str) -> bytes:
    if machine not in _MACHINES:
        raise SandboxError(f"no sandbox here: the system calls of {machine} are not listed")
    number, column = _MACHINES[machine]
    calls = allowed_calls(column)
    steps: list[_Step] = [
        *((_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, number), _end(errno.ENOSYS), (_LOAD, 0, 0, _CALL)),
        # Each of the following blocks allows or refuses certain calls. For every other call the filter continues after
        # the block.
        *((_EQUAL, 0, 4, calls.pop("clone")), (_LOAD, 0, 0, _ARGUMENT)),
        *((_HAS, 0, 1, _NEW_NAMESPACE), _end(errno.EPERM), _end()),
        *((_EQUAL, 1, 0, calls.pop("socket")), (_EQUAL, 0, 4, calls.pop("socketpair")), (_LOAD, 0, 0, _ARGUMENT)),
        *((_EQUAL, 0, 1, socket.AF_UNIX), _end(), _end(errno.EAFNOSUPPORT)),
    ]
    for first, last in _ranges(sorted(calls.values())):
        steps += [(_AT_LEAST, 1, 0, first), _end(errno.ENOSYS), (_AT_LEAST, 1, 0, last + 1), _end()]
    # Refuse all calls above the last range, such as the calls of x86-64's x32, which begin at 0x40000000.
    steps.append(_end(errno.ENOSYS))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def allowed_calls(column: int) -> dict[str, int]:
    """Map the names of the allowed system calls to their numbers. column: 1 for x86-64, 2 for ARM64."""
    rows = [line.split() for line in read_text(_TABLE, _MOST_TABLE).splitlines() if line and not line.startswith("#")]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def _end(refused: int = 0) -> _Step:
    """Return the instruction that allows a call, or that refuses the call with the error of this number."""
    return (_END, 0, 0, _REFUSE | refused if refused else _ALLOW)


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the first and the last number of each run of consecutive numbers in a sorted list."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found
