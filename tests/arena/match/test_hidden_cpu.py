"""CPU time that programs hide from rusage counts if a control group can be made."""

import os
import subprocess
from functools import partial

import pytest

from little_go.arena.match import control_group
from little_go.arena.match.control_group import make_group
from little_go.arena.match.limits import Limits, SandboxError
from little_go.arena.match.sandbox import check_sandbox
from tests.arena.helpers import PYTHON
from tests.arena.match.hiding import AMPLE, TRICKS, run_trick


def can_count() -> bool:
    """Return whether the kernel counts the CPU time of a group on this machine."""
    group = make_group(0)
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
def test_every_hierarchy_counts_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hierarchy is tested as if it were the only one: of version 1 or 2, delegated or root's."""
    tried, burn = [], "import time\nwhile time.process_time() < 0.1: pass"
    for place in control_group._found_places():
        if "cpu" in place.purposes and os.access(place.parent, os.W_OK):
            monkeypatch.setattr(control_group, "_places", partial(tuple, [place]))
            group = make_group(0)
            assert group is not None
            subprocess.run([*PYTHON, "-c", burn], preexec_fn=group.enter, check=True)
            assert 0.05 < group.seconds < 0.5
            group.remove()
            assert not any(each.path.exists() for each in group._groups)
            tried.append(place.version)
    assert tried


@needs_group
@kinds
def test_the_limit_ends_what_hides_its_time(sandboxed: bool) -> None:
    report, _ = run_trick("children that the kernel reaps", sandboxed, Limits(cpu=0.2, wall=60))
    assert report.exceeded == "cpu"
