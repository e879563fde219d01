"""The command little-go, which has the commands of all packages."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from little_go.__main__ import PACKAGES, SECTIONS, group_of, main
from little_go.runtime.hints import SHORT
from little_go.runtime.release import version
from tests.test_layout import MAKERS, ROOMS, ROOT


def test_every_package_with_commands_is_there() -> None:
    assert set(PACKAGES) == ROOMS - MAKERS - {"notation", "crew", "runtime", "little_go"}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_s_commands_are_reached(package: str) -> None:
    commands = group_of(package).commands
    shown = CliRunner().invoke(main, [package, "--help"]).output
    assert shown.startswith(f"Usage: main {package} [OPTIONS] ")
    for command in commands:
        assert f"\n  {command} " in shown
        assert CliRunner().invoke(main, [package, command, "--help"]).exit_code == 0


@pytest.mark.parametrize("name", SHORT)
def test_a_short_name_is_the_command(name: str) -> None:
    package, command = SHORT[name]
    short = CliRunner().invoke(main, [name, "--help"]).output
    assert short.startswith(f"Usage: main {name} ")
    assert not short.startswith(f"Usage: main {name} {command}")
    whole = CliRunner().invoke(main, [package, command, "--help"]).output
    assert short.partition("\n\n")[2] == whole.partition("\n\n")[2]
    # The environment is the one of a shell's completion.
    assert main.get_command(click.Context(main), name) is group_of(package).commands[command]


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("rest", [[], ["x"], ["x", "y"]])
def test_what_follows_a_short_name_is_all_handed_over(name: str, rest: list[str]) -> None:
    _, group, words = main.resolve_command(click.Context(main), [name, *rest])
    package, command = SHORT[name]
    assert isinstance(group, click.Group)
    assert (group.commands, words) == (group_of(package).commands, [command, *rest])


@pytest.mark.parametrize("package", [package for package in PACKAGES if package != "explorer"])
def test_a_package_alone_shows_its_help(package: str) -> None:
    """Only the explorer serves its page."""
    alone, asked = (CliRunner().invoke(main, [package, *more]) for more in ([], ["--help"]))
    assert (alone.output, alone.exit_code) == (asked.output, 2)


@pytest.mark.parametrize("module", ["little_go", "arena"])
def test_a_deleted_working_directory_changes_nothing(module: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = [sys.executable, "-m", module, "--help"]
    source = f"import os, sys; os.rmdir(os.getcwd()); os.execv({sys.executable!r}, {command!r})"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    there, here = (
        subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, timeout=120)
        for words, place in ((command, ROOT), ([sys.executable, "-c", source], gone))
    )
    assert (here.returncode, here.stderr, here.stdout) == (0, "", there.stdout)


def test_a_short_name_fails_as_the_command_does() -> None:
    result = CliRunner().invoke(main, ["query", "--db", "/no/such.db"])
    assert result.exit_code == 2
    assert result.output.startswith("Error: /no/such.db")
    assert result.output.count("\n") == 1


def test_help_names_all_and_imports_none() -> None:
    program = "import sys; from little_go.__main__ import main; main(standalone_mode=False); print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", program, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(re.search(rf"\b{name}\b", shown) for name in [*PACKAGES, *SHORT])
    in_others = {"tictactoe", "class", "make", "family", "value"}
    assert all(f"\n  {name} " in shown for names in SECTIONS.values() for name in names)
    assert {name for names in SECTIONS.values() for name in names} == SHORT.keys() - in_others
    assert all(f"\n{section}:\n  " in shown for section in SECTIONS)
    lines = shown.splitlines()[:-1]
    assert len(lines) < 24
    assert max(map(len, lines)) < 80
    assert "'little_go.book.__main__'" not in shown
    assert "'little_go.solver.native.kernel'" not in shown


def test_no_room_imports_sqlite_utils_before_a_command_opens_a_store() -> None:
    """sqlite-utils imports pandas if it is installed, which takes longer than the first move of `play`."""
    program = """if True:
        import sys
        from little_go.__main__ import PACKAGES, group_of
        rooms = list(map(group_of, PACKAGES))
        print('sqlite_utils' in sys.modules)
    """
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def test_the_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"little-go, version {version()}\n"


@pytest.mark.parametrize(("is_clone", "again"), [(True, "run make setup"), (False, "install little-go again")])
def test_a_missing_module_is_one_line(monkeypatch: pytest.MonkeyPatch, is_clone: bool, again: str) -> None:
    monkeypatch.setitem(sys.modules, "little_go.book.commands.solver", None)
    monkeypatch.setattr("little_go.__main__.in_clone", lambda: is_clone)
    result = CliRunner().invoke(main, ["value"])
    assert (result.exit_code, result.output) == (
        2,
        f"Error: little-go solver needs the Python module little_go.book.commands.solver, which is not here: {again}\n",
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_without_a_kernel_a_package_helps_or_ends_in_one_line(package: str) -> None:
    program = f"""if True:
        import sys
        sys.modules["little_go.solver.native.kernel"] = None
        from little_go.__main__ import group_of
        group_of({package!r})()
    """
    ended = subprocess.run([sys.executable, "-c", program, "--help"], capture_output=True, text=True)
    if ended.returncode:
        assert (ended.returncode, ended.stderr) == (
            2,
            "Error: the native kernel is not built for this Python: run make setup in a clone,"
            " or reinstall the package\n",
        )
    else:
        assert ended.stdout.startswith("Usage: ")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("perft", "try little-go solver perft"),
        ("verify", "try little-go proof verify"),
        ("help", "try little-go --help"),
        ("reveiw", "try little-go review"),
        ("zzzz", "see little-go --help"),
    ],
)
def test_a_word_that_is_not_a_command_gets_a_hint(word: str, hint: str) -> None:
    done = CliRunner().invoke(main, [word])
    assert (done.exit_code, done.stderr) == (2, f"Error: no command {word!r}: {hint}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("query --ply x", "--ply: 'x' is not a valid integer range: see little-go query --help"),
        ("query --nonsense", "No such option '--nonsense': see little-go query --help"),
        ("check", "Missing argument 'CERTIFICATE...': see little-go check --help"),
        ("puzzle 1 2", "Got unexpected extra argument (2): see little-go puzzle --help"),
    ],
)
def test_a_command_line_that_click_refuses_is_one_line(line: str, message: str) -> None:
    done = CliRunner().invoke(main, shlex.split(line), prog_name="little-go")
    assert (done.exit_code, done.stderr) == (2, f"Error: {message}\n")


@pytest.mark.parametrize(
    ("given", "offered"), [("", [*SHORT, *PACKAGES]), ("que", ["query"]), ("gen", ["generator"]), ("zzz", [])]
)
def test_a_shell_completes_short_names_and_packages(given: str, offered: list[str]) -> None:
    complete = ShellComplete(main, {}, "little-go", "_LITTLE_GO_COMPLETE")
    assert [each.value for each in complete.get_completions([], given)] == offered
