"""After a Ctrl-C before or after a command's work, there is one line and the exit code of interrupted runs, or no
effect.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT

#: A module, imported first, that raises Ctrl-C when Python searches for a given module.
SITE = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED_AT"]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
"""

#: A module that raises Ctrl-C when Python removes its modules at the end.
AT_THE_END = """
import os, signal
class Last:
    def __del__(self, kill=os.kill, own=os.getpid(), number=signal.SIGINT):
        kill(own, number)
last = Last()
"""

LITTLE_GO = [str(Path(sys.executable).with_name("little-go"))]


def interrupted(command: list[str], module: str, folder: Path) -> tuple[int, str, str]:
    """Return the result of a command that gets a Ctrl-C when it imports a module."""
    (folder / "sitecustomize.py").write_text(SITE)
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "INTERRUPTED_AT": module}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "module",
    ["little_go.__main__", "click", "little_go.runtime.terminal", "little_go.book.__main__", "little_go.book.store"],
)
def test_ctrl_c_while_the_command_is_found_is_one_line(module: str, tmp_path: Path) -> None:
    assert interrupted([*LITTLE_GO, "query", "--moves", "2,2"], module, tmp_path) == (130, "", "interrupted\n")


@pytest.mark.parametrize("module", ["little_go.__main__", "little_go.book.commands.solver"])
def test_ctrl_c_while_python_m_imports_is_one_line(module: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "little_go", "solver", "perft", "1"]
    assert interrupted(command, module, tmp_path) == (130, "", "interrupted\n")


def test_a_program_that_imports_ours_keeps_its_ctrl_c(tmp_path: Path) -> None:
    for name in ("theirs", "book_of_mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("import little_go.book, little_go.solver")
        (tmp_path / name / "__main__.py").write_text(
            "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
        )
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
        done = subprocess.run(
            [sys.executable, "-m", name, "book"], env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_ctrl_c_after_the_command_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_THE_END)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run([*LITTLE_GO, "query", "--help"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
