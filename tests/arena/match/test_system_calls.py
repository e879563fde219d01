"""The filter of a sandbox's system calls, run as the kernel runs it, for both kinds of machines."""

import errno
import re
import socket
import struct
from pathlib import Path

import pytest

from little_go.arena.match.limits import SandboxError
from little_go.arena.match.system_calls import _MACHINES, _filter, allowed_calls

ALLOW, REFUSE = 0x7FFF0000, 0x50000

#: The kernel's numbers, in the headers that Debian's packages install.
HEADERS = {1: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), 2: Path("/usr/include/asm-generic/unistd.h")}

#: Calls that are newer than the headers of Debian 12; they have the same number on all machines.
NEWER = {"fchmodat2": 452, "map_shadow_stack": 453, "futex_wake": 454, "futex_wait": 455, "futex_requeue": 456}


def outcome(machine: str, call: int, argument: int = 0, kind: int | None = None) -> int:
    """Run the filter on a call; return 0 if it is allowed, else the number of the error.

    kind: the number of the machine that the kernel reports, None for the right one.
    """
    number, _ = _MACHINES[machine]
    data = struct.pack("<IIQQ", call, number if kind is None else kind, 0, argument)
    steps = list(struct.iter_unpack("=HBBI", _filter(machine)))
    at = word = 0
    while True:
        operation, if_true, if_false, value = steps[at]
        at += 1
        if operation == 0x06:
            assert value == ALLOW or value & 0x7FFF0000 == REFUSE
            return 0 if value == ALLOW else int(value & 0xFFFF)
        if operation == 0x20:
            word = struct.unpack_from("<I", data, value)[0]
        else:
            holds = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[operation]
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", _MACHINES)
def test_what_is_listed_is_allowed_and_all_else_refused(machine: str) -> None:
    calls = allowed_calls(_MACHINES[machine][1])
    special = {calls.pop(name) for name in ("clone", "socket", "socketpair")}
    allowed = {call for call in range(2000) if call not in special and outcome(machine, call) == 0}
    assert allowed == set(calls.values())
    assert {outcome(machine, call) for call in {*range(2000)} - allowed - special} == {errno.ENOSYS}
    # The calls of x32 on x86-64, and of programs of 32 bits.
    assert {outcome(machine, call | 0x40000000) for call in range(600)} == {errno.ENOSYS}
    assert {outcome(machine, call, kind=0x40000003) for call in range(600)} == {errno.ENOSYS}


@pytest.mark.parametrize("machine", _MACHINES)
def test_sockets_are_of_one_family(machine: str) -> None:
    calls = allowed_calls(_MACHINES[machine][1])
    for name in ("socket", "socketpair"):
        allowed = [family for family in range(256) if outcome(machine, calls[name], family << 32) == 0]
        assert allowed == [], "the upper half of a register does not count, the lower one does"
        found = {family: outcome(machine, calls[name], socket.AF_VSOCK << 32 | family) for family in range(256)}
        assert found.pop(socket.AF_UNIX) == 0
        assert set(found.values()) == {errno.EAFNOSUPPORT}


@pytest.mark.parametrize("machine", _MACHINES)
def test_a_clone_has_no_new_namespace(machine: str) -> None:
    clone = allowed_calls(_MACHINES[machine][1])["clone"]
    # glibc makes threads with the first flags, and vfork sends a signal.
    assert [outcome(machine, clone, flags) for flags in (0x3D0F00, 0x4111, 17)] == [0, 0, 0]
    names = ("mount", "cgroup", "uts", "ipc", "user", "pid", "net")
    bits = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
    assert {name: outcome(machine, clone, bit | 17) for name, bit in zip(names, bits, strict=True)} == dict.fromkeys(
        names, errno.EPERM
    )


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_are_the_kernels(column: int) -> None:
    if not HEADERS[column].exists():
        pytest.skip("the numbers of system calls are not known for this machine: its headers are elsewhere")
    rows = re.findall(r"^#define __NR(?:3264)?_(\w+) (\d+)$", HEADERS[column].read_text(), re.MULTILINE)
    numbers = NEWER | {name: int(number) for name, number in rows}
    # The generic header lists this call under the name that the C library uses.
    numbers.setdefault("newfstatat", numbers.get("fstatat", -1))
    assert {name: numbers.get(name) for name in allowed_calls(column)} == allowed_calls(column)


def test_a_machine_whose_calls_are_not_listed_has_no_sandbox() -> None:
    with pytest.raises(SandboxError, match=r"^no sandbox here: the system calls of riscv64 are not listed$"):
        _filter("riscv64")
