"""The kernels for other systems have the same answers as this system's kernel, if their programs can run here.

For each change, `tests/solver/test_wasm.py` compares the page's kernel, which the same compiler makes.
"""

from pathlib import Path

import pytest

from tools.cross.__main__ import bench_answers, can_run, run_driver
from tools.cross.building import MODULES, ROOT, TARGETS, ZIG, Target, build_driver, build_modules

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not ZIG.exists(), reason="no zig here: `make wasm` installs it"),
]

MUSL = TARGETS[0]


@pytest.mark.long
def test_another_compiler_and_library_answer_alike(tmp_path: Path) -> None:
    assert can_run(MUSL)
    driver, expected = build_driver(MUSL, ROOT, tmp_path), bench_answers()
    assert sum(answer.nodes for answer in expected) > 700_000
    found = [run_driver(driver, MUSL, build) for build in range(2)]
    assert found[0] == expected
    assert found[1] in (expected, None)


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.zig)
def test_every_system_is_compiled_for_and_tried_where_it_runs(target: Target, tmp_path: Path) -> None:
    assert len(build_modules(target, ROOT, tmp_path)) == len(MODULES)
    if can_run(target):
        assert run_driver(build_driver(target, ROOT, tmp_path), target, 0) == bench_answers()
