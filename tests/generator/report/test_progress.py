"""What a run's log states: each field, with and without an estimate and a table."""

from dataclasses import replace
from typing import Any

import pytest

from little_go.generator.questions.atlas_run import RunProgress
from little_go.generator.report.progress import progress_record

KNOWN = RunProgress(ply=4, done=30, total=50, nodes=7_000, seconds=12.34, fill=0.123456, left=(59.6, 10.2), workers=3)


@pytest.mark.parametrize(
    ("progress", "different"),
    [
        (KNOWN, {}),
        (replace(KNOWN, fill=None), {"fill": None}),
        (replace(KNOWN, left=None), {"left": None, "spread": None}),
    ],
)
def test_a_tick_states_what_is_known(progress: RunProgress, different: dict[str, Any]) -> None:
    known = {
        "event": "tick", "ply": 4, "done": 30, "open": 20, "nodes": 7_000, "seconds": 12.3, "fill": 0.1235,
        "workers": 3, "left": 60, "spread": 10,
    }  # fmt: skip
    assert progress_record(progress) == {**known, **different}
