"""CPU time that programs hide from rusage counts where a control group can be made."""

import pytest

from arena.match.control_group import group_of
from arena.match.limits import Limits, SandboxError
from arena.match.sandbox import check_sandbox
from tests.arena.match.hiding import AMPLE, TRICKS, run_trick


def can_count() -> bool:
    """Return whether the kernel counts the CPU time of a group here."""
    group = group_of(0)
    if group is not None:
        group.remove()
    return group is not None


def sandbox_lacks() -> str:
    try:
        check_sandbox()
    except SandboxError as error:
        return str(error)
    return ""


needs_group = pytest.mark.skipif(not can_count(), reason="no control group can be made here")
kinds = pytest.mark.parametrize(
    "sandboxed",
    [
        pytest.param(False, id="as you"),
        pytest.param(
            True,
            id="in a sandbox",
            marks=[pytest.mark.system, pytest.mark.skipif(bool(sandbox_lacks()), reason=sandbox_lacks())],
        ),
    ],
)


@needs_group
@kinds
@pytest.mark.parametrize("trick", TRICKS)
def test_hidden_time_counts(trick: str, sandboxed: bool) -> None:
    report, burnt = run_trick(trick, sandboxed, AMPLE)
    assert (report.exceeded, report.errors) == ("", "")
    assert burnt > 0.3
    assert burnt <= 1.1 * report.cpu


@needs_group
@kinds
def test_the_limit_ends_what_hides_its_time(sandboxed: bool) -> None:
    report, _ = run_trick("children that the kernel reaps", sandboxed, Limits(cpu=0.2, wall=60))
    assert report.exceeded == "cpu"
