"""The script to upload is up to date, valid in Python 3.7 and self-contained; the builder refuses other modules."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.player.__main__ import ROOT, main
from little_go.player.build import ENTRY, SCRIPT, BuildError, build_script, named_game
from little_go.solver.family import COURSE, Variant


def test_the_script_is_fresh() -> None:
    message = "run 'python -m player build' and commit the result"
    assert (ROOT / SCRIPT).read_text(encoding="utf-8") == build_script(ROOT, game=COURSE), message


def test_the_script_is_python_37() -> None:
    vermin = Path(sys.executable).with_name("vermin")
    done = subprocess.run([vermin, "-t=3.7-", "--no-tips", ROOT / SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_script_names_its_game_in_its_head() -> None:
    for game in (COURSE, Variant(8, -1.5)):
        script = build_script(ROOT, game).encode()
        assert named_game(script) == game
        # The same line in another agent does not make that agent ours.
        assert named_game(b"import os\n" + script) is None
    older = build_script(ROOT, COURSE).replace("Game: 24 plies, komi 2.5\n", "")
    assert named_game(older.encode()) is None


def test_the_build_is_deterministic() -> None:
    assert build_script(ROOT, game=COURSE) == build_script(ROOT, game=COURSE)


def test_the_script_imports_the_standard_library_only() -> None:
    lines = build_script(ROOT, game=COURSE).splitlines()
    modules = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert modules <= sys.stdlib_module_names
    assert "typing" in modules


def test_build_and_check(tmp_path: Path) -> None:
    out = tmp_path / SCRIPT
    runner = CliRunner()
    stale = runner.invoke(main, ["build", "--check", "--out", str(out)])
    assert stale.exit_code == 1
    assert stale.stdout == ""
    assert "is out of date" in stale.stderr
    assert runner.invoke(main, ["build", "--out", str(out)]).exit_code == 0
    assert list(tmp_path.iterdir()) == [out]
    assert runner.invoke(main, ["build", "--check", "--out", str(out)]).exit_code == 0
    out.write_text(out.read_text() + "\n")
    assert runner.invoke(main, ["build", "--check", "--out", str(out)]).exit_code == 1


def tree(root: Path, **modules: str) -> Path:
    """Write modules, given by names such as room_module, into a root with the player's entry module."""
    for name, source in modules.items():
        path = root.joinpath(*name.split("_")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    assert ENTRY == "player.main"
    return root


def test_modules_come_after_what_they_need(tmp_path: Path) -> None:
    tree(
        tmp_path,
        player_main='"""Main."""\nimport sys\nfrom little_go.player.files import b\n'
        "from little_go.solver.exact import a\nprint(a, b, sys)",
        player_files="from little_go.solver.exact import (\n    a,\n)\nb = [x for x in a]",
        solver_exact="from typing import (\n    List,\n)\n\n# why\na: List[int] = [x for x in (1,)]",
    )
    script = build_script(tmp_path, game=COURSE)
    assert script.index("# why\na: ") < script.index("b = [x") < script.index("print(a, b")
    assert "\nfrom typing import List\n" in script
    assert script.count("import sys\n") == 1
    assert "little_go.solver.exact" not in script


@pytest.mark.parametrize(
    ("main_source", "other_source", "complaint"),
    [
        ("from little_go.solver.exact import a\na = 1", "a = 2", "both define a"),
        ("from little_go.solver.exact import a\n_b = 1", "a = 2\ndef _b(): pass", "both define _b"),
        (
            "from little_go.solver.exact import a\nfor i in (1, 2):\n    pass",
            "a = 2\nwith open('x') as i:\n    pass",
            "both define i",
        ),
        ("import little_go.solver.exact", "a = 2", "write 'from little_go.solver.exact import"),
        ("import os as system", "", "write 'from os import"),
        ("from little_go.solver.exact import a as c", "a = 2", "by absolute imports"),
        ("from little_go.solver.exact import *", "a = 2", "by absolute imports"),
        ("from .files import a", "a = 2", "absolute imports"),
        ("def f():\n    import os", "", "top level"),
        ("import time\nfrom little_go.solver.exact import time", "time = 2", "defines time"),
        ("from time import sleep\nfrom little_go.solver.exact import sleep", "sleep = 2", "something else"),
        (
            "from time import sleep\nfrom little_go.solver.exact import a",
            "from asyncio import sleep\na = 1",
            "something else",
        ),
        ("from little_go.solver.nothing import a", "", "nothing.py"),
        (
            "from little_go.solver.exact import a\nb = 1",
            "from little_go.player.main import b\na = 1",
            "import each other",
        ),
        ("x = ", "", "main.py"),
        ("from __future__ import annotations\nimport time", "", "cannot be one file: from __future__"),
    ],
)
def test_the_builder_refuses(tmp_path: Path, main_source: str, other_source: str, complaint: str) -> None:
    tree(tmp_path, player_main=main_source, solver_exact=other_source)
    with pytest.raises(BuildError, match=complaint):
        build_script(tmp_path, game=COURSE)


@pytest.mark.parametrize("times", [0, 2])
def test_the_builder_finds_one_line_for_another_game(tmp_path: Path, times: int) -> None:
    tree(tmp_path, player_main="GAME = COURSE\n" * times, solver_exact="")
    with pytest.raises(BuildError, match=r"player\.main has no line GAME = COURSE"):
        build_script(tmp_path, game=Variant(8, -1.5))
