"""New machines: the settings copied from this machine, the failures, and the protection of this machine's files."""

import os
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import pytest

from tools import fresh_machine
from tools.fresh_machine import (
    CANNOT,
    MOST_SKIPPED,
    ROOT,
    STRAINS,
    VISITOR,
    Machine,
    MachineFailure,
    Person,
    check_skipped,
    check_transcript,
    commit,
    main,
    mounted_below,
    pip_settings,
    place,
    strained,
    try_commands,
    try_suites,
)


def test_a_machine_reaches_the_index_as_this_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    settings = tmp_path / "pip.conf"
    settings.write_text(
        "[global]\nindex-url = https://one.test/simple\nextra-index-url = file:///here https://two.test/simple\n"
        "cert = /here/certificates\nfind-links = /here\nconstraint = /here/constraints.txt\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.setenv("PIP_PROXY", "http://proxy.test")
    found = pip_settings()
    assert found["index-url"] == "https://one.test/simple"
    assert found["extra-index-url"].split()[-1] == "https://two.test/simple"
    assert (found["cert"], found["proxy"]) == ("/here/certificates", "http://proxy.test")
    assert not {"find-links", "constraint"} & set(found)
    assert "file:" not in " ".join(found.values())


def test_a_mount_below_is_seen(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    folder = tmp_path / "a b"
    lines = [f"1 2 0:3 / {where} rw - tmpfs tmpfs rw" for where in ("/", f"{tmp_path}/a\\040b/dev", f"{tmp_path}/a")]
    table.write_text("\n".join(lines))
    assert mounted_below(folder, table) == [folder / "dev"]
    assert mounted_below(tmp_path / "c", table) == []


def test_a_folder_with_a_mount_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_machine, "mounted_below", lambda folder: [folder / "dev"])
    making = place()
    folder = making.__enter__()
    (folder / "kept").touch()
    with pytest.raises(MachineFailure, match="is not removed"):
        making.__exit__(None, None, None)
    (folder / "kept").unlink()
    folder.rmdir()


def test_a_folder_is_removed() -> None:
    with place() as folder:
        (folder / "root").mkdir()
    assert not folder.exists()


def test_where_no_machine_can_be_made_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "argv", ["fresh_machine"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == CANNOT
    assert capsys.readouterr().err == "fresh machines are not tried: that takes root\n"


def skipped(count: int, without: str = "Node.js (300), other Python (2)") -> str:
    last = f"{count} tests skipped without {without}: `make programs` installs what there is"
    return f"4007 passed, {count} skipped in 1.0s\n{last}\n"


def test_too_many_skipped_tests_are_a_failure_and_so_are_those_for_another_reason() -> None:
    check_skipped("4007 passed in 1.0s")
    check_skipped(skipped(MOST_SKIPPED, "pandas (45)"))
    check_skipped(skipped(MOST_SKIPPED + 300))
    too_many = rf"^{MOST_SKIPPED + 1} skipped with Node\.js, and {MOST_SKIPPED} is the most"
    for count, without in ((MOST_SKIPPED + 301, "Node.js (300), other Python (2)"), (MOST_SKIPPED + 1, "pandas (46)")):
        with pytest.raises(MachineFailure, match=too_many):
            check_skipped(skipped(count, without))
    with pytest.raises(MachineFailure, match=r"not for optional programs alone: {'gcc'}"):
        check_skipped(skipped(3, "Node.js (2), gcc (1)"))
    with pytest.raises(MachineFailure, match="not for optional programs alone"):
        check_skipped("4007 passed, 2 skipped in 1.0s")


class Pretended(Machine):
    """A machine whose commands print and return given texts and codes."""

    def __init__(self, needs: str = "", failing: str = "", suite: str = "trixie") -> None:
        self.needs, self.failing, self.suite = needs, failing, suite
        self.commands: list[str] = []

    def attempt(self, person: Person, command: str, folder: str = "") -> tuple[int, str]:
        self.commands.append(f"{person.name}: {command}")
        if "root: make demo" not in self.commands and person == VISITOR and command == "make demo":
            return (2 if self.needs else 0), self.needs
        return int(command == self.failing), skipped(3)


NEEDS = "make setup needs: Python 3.10 or newer. To install it: as root: apt-get install python3\n"


@pytest.mark.parametrize("suite", STRAINS)
def test_both_commands_are_run_by_both(suite: str) -> None:
    machine = Pretended(NEEDS, suite=suite)
    try_commands(machine)
    ran = ["root: make demo", "root: make test", "visitor: make demo", f"visitor: {strained(STRAINS[suite])}"]
    assert machine.commands[-5:] == ["visitor: make demo", *ran]


@pytest.mark.parametrize("code", [0, 3])
@pytest.mark.parametrize("suite", STRAINS)
def test_the_tests_run_under_the_conditions_of_the_machine(tmp_path: Path, suite: str, code: int) -> None:
    make = tmp_path / "make"
    children_of_the_shell = "wc -w </proc/$PPID/task/$PPID/children"
    lines = ("#!/bin/sh", "umask", 'echo "$1" $TERM $LC_ALL "$PYTEST_ADDOPTS"', children_of_the_shell, f"exit {code}")
    make.write_text("\n".join(lines))
    make.chmod(0o755)
    path = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["/bin/sh", "-c", strained(STRAINS[suite])], env=os.environ | path, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    order, busy = STRAINS[suite]
    umask, words, children = done.stdout.splitlines()
    assert (done.returncode, umask, words) == (code, "0077", f"test dumb C {order}")
    # The shell's child processes are the busy ones and the tests.
    assert not busy or int(children) == busy + 1


def test_reversed_tests_run_from_last_to_first(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_one(): pass\n\n\ndef test_two(): pass\n")
    options = ["-v", "-c", "/dev/null", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "tests.reversed_order"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.index("test_two") < done.stdout.index("test_one")


@pytest.mark.parametrize("needs", ["", NEEDS * 2, "fatal error: Python.h\n", NEEDS.partition(" To")[0]])
def test_a_user_who_is_not_given_the_command_is_a_failure(needs: str) -> None:
    with pytest.raises(MachineFailure, match="not given the command"):
        try_commands(Pretended(needs))


def test_a_command_that_fails_is_a_failure() -> None:
    with pytest.raises(MachineFailure, match="trixie: root: make test: exit code 1"):
        try_commands(Pretended(NEEDS, "make test"))


def test_a_transcript_names_its_commit_and_is_refused_after_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(fresh_machine, "try_suite", lambda suite, transcript: tried.append(suite))
    path = tmp_path / "transcript.txt"
    with open(path, "w", encoding="utf-8") as transcript:
        try_suites(["one", "two"], transcript)
    assert tried == ["one", "two"]
    assert path.read_text("utf-8").splitlines()[0] == f"commit {commit()}"
    check_transcript(path)
    monkeypatch.setattr(fresh_machine, "commit", lambda: "another")
    with pytest.raises(MachineFailure, match="and HEAD is another"):
        check_transcript(path)


def test_a_transcript_with_a_failure_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(suite: str, transcript: TextIO) -> None:
        print(f"{suite}: failed", file=transcript)
        raise MachineFailure(suite)

    monkeypatch.setattr(fresh_machine, "try_suite", fail)
    path = tmp_path / "transcript.txt"
    with open(path, "w", encoding="utf-8") as transcript, pytest.raises(MachineFailure):
        try_suites(["one"], transcript)
    with pytest.raises(MachineFailure, match="a command failed: one: failed"):
        check_transcript(path)
    with pytest.raises(MachineFailure, match="No such file"):
        check_transcript(tmp_path / "none")
