"""The needs of `make setup`: they are found, installed or listed in one line, on machines with only given programs."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

ROOT = Path(__file__).parents[1]

#: The programs of every machine.
PROGRAMS = ("sh", "mktemp", "rm", "ls", "cat", "cp", "env", "grep", "sed", "touch", "tr", "sort", "tail", "true", "df")

#: A compiler, which needs further programs.
COMPILER = f'PATH={os.environ["PATH"]} exec gcc "$@"'


#: The output of a Python that is too old, and of a Python whose compiler is ``cc``.
OLD = {"version_info <": "exit 1", "sys.version.split": "echo 3.9.18; exit"}
PLAIN = {"sysconfig.get_config_var": "echo cc; exit"}


class Machine:
    """A folder with the only programs that the script finds."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.folder = folder
        for name in PROGRAMS:
            (self.programs / name).symlink_to(shutil.which(name) or "")
        self.add(id="echo 1000")

    def add(self, **programs: str) -> "Machine":
        """Add programs, given by the lines of their scripts."""
        for name, lines in programs.items():
            path = self.programs / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{lines}\n")
            path.chmod(0o755)
        return self

    def add_python(self, answers: Mapping[str, str] = MappingProxyType({}), name: str = "python3") -> "Machine":
        """Add this Python, with another behaviour for programs that contain certain words."""
        cases = "\n".join(f'*"{words}"*) {lines} ;;' for words, lines in answers.items())
        return self.add(**{name: f'case "$*" in\n{cases}\nesac\nexec {sys.executable} "$@"'})

    def add_compiler(self) -> "Machine":
        return self.add(cc=COMPILER)

    def needs(self, *arguments: str, **settings: str) -> tuple[int, str, str]:
        """Run the script; return its exit code and its output on both streams."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP", "PYTHON", "CC"))}
        kept |= {"PATH": str(self.programs), "CC": "cc"} | settings
        command = ["/bin/sh", "tools/needs.sh", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={k: v for k, v in kept.items() if v}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_nothing_is_said_where_nothing_is_missing(machine: Machine) -> None:
    machine.add_python().add_compiler()
    assert machine.needs() == (0, "", "")


INSTALL = {
    "apt-get": "apt-get install gcc libc6-dev python3 python3-dev python3-venv",
    "dnf": "dnf install gcc python3 python3-devel",
    "apk": "apk add gcc musl-dev python3 python3-dev",
    "pacman": "pacman -S --needed gcc python",
    "zypper": "zypper install gcc python3 python3-devel",
}


@pytest.mark.parametrize(("manager", "command"), INSTALL.items())
@pytest.mark.parametrize("sudo", [True, False])
def test_all_that_is_missing_is_one_line(machine: Machine, manager: str, command: str, sudo: bool) -> None:
    machine.add(**{manager: "exit 9"})
    if sudo:
        machine.add(sudo="exit 1")
    by = "sudo " if sudo else "as root: "
    missing = "Python 3.10 or newer, with its module venv and its headers; a C compiler that works (cc does not)"
    line = f"make setup needs: {missing}. To install it: {by}{command}\n"
    assert machine.needs(str(machine.folder / "env"), CC="") == (1, "", line)


def test_without_a_package_manager_there_is_no_command(machine: Machine) -> None:
    code, _, said = machine.add_python().needs(CC="")
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith("make setup needs: a C compiler that works (")
    assert "install" not in said


#: An apt-get that records its calls. It finds no package before an update.
APT = """
echo "$*" >>{log}
case "$*" in
*update) touch {log}.updated ;;
*) [ -e {log}.updated ] || {{ echo "E: Unable to locate package gcc" >&2; exit 100; }}
   cp {package} {installed} ;;
esac
"""


@pytest.mark.parametrize("user", ["root", "sudo"])
def test_what_is_missing_is_installed_where_that_is_allowed(machine: Machine, user: str) -> None:
    machine.add_python(PLAIN)
    log, compiler = machine.folder / "log", machine.programs / "cc"
    machine.add_compiler()
    compiler.rename(machine.folder / "cc")
    machine.add(apt_get=APT.format(log=log, package=machine.folder / "cc", installed=compiler))
    machine.add(id=f"echo {0 if user == 'root' else 1000}", sudo='[ "$1" = -n ] && shift && exec "$@"')
    code, out, said = machine.needs(CC="")
    assert (code, out, said) == (0, "Installing gcc libc6-dev ...\n", "")
    install = "--quiet --yes install --no-install-recommends gcc libc6-dev"
    assert log.read_text().splitlines() == [install, "--quiet --yes update", install]


def test_an_installation_that_fails_is_one_line(machine: Machine) -> None:
    machine.add_python(PLAIN)
    machine.add(id="echo 0", apt_get='echo "E: No network"; exit 100')
    missing = "a C compiler that works (cc does not)"
    refused = "cannot install gcc libc6-dev: No network"
    assert machine.needs(CC="")[::2] == (1, f"make setup needs: {missing} ({refused})\n")


def test_what_python_lacks_is_installed_for_that_python(machine: Machine) -> None:
    lacks = {"import ensurepip": "exit 1", "get_path(": "exit 1"}
    machine.add(apt_get="exit 9").add_compiler()
    machine.add_python(lacks)
    missing = "make setup needs: Python's module venv; Python's headers. To install it: as root: apt-get install"
    assert machine.needs() == (1, "", f"{missing} python3-dev python3-venv\n")
    machine.add_python(lacks, name="python3.12")
    (machine.programs / "python3").unlink()
    assert machine.needs() == (1, "", f"{missing} python3.12-dev python3.12-venv\n")


@pytest.mark.parametrize("name", ["python3", "python3.11", "python3.99", "python"])
def test_an_interpreter_goes_by_any_of_its_names(machine: Machine, name: str) -> None:
    machine.add_python(name=name).add_compiler()
    if name != "python3":
        machine.add(python3="exit 1")
    assert machine.needs() == (0, "", "")


def test_an_interpreter_of_pyenv_will_do(machine: Machine) -> None:
    machine.add_compiler().add(pyenv='case "$1" in versions) echo 3.11.7 ;; *) echo "$HERE" ;; esac')
    (machine.folder / "bin" / "bin").mkdir()
    (machine.folder / "bin" / "bin" / "python").symlink_to(sys.executable)
    assert machine.needs(HERE=str(machine.programs)) == (0, "", "")


def test_an_old_python_is_one_line(machine: Machine) -> None:
    machine.add_python(OLD).add_compiler()
    why = "for another one: make setup PYTHON=NAME"
    assert machine.needs() == (1, "", f"make setup needs: Python 3.10 or newer (python3 is 3.9.18; {why})\n")
    line = f"make setup needs: Python 3.10 or newer (python3.9 is none; {why})\n"
    assert machine.needs(PYTHON="python3.9") == (1, "", line)


def test_a_compiler_that_is_none_is_one_line(machine: Machine) -> None:
    machine.add_python().add(id="echo 0", apt_get="exit 9")
    line = "make setup needs: a C compiler that works (nonsense -O2 does not)\n"
    assert machine.needs(CC="nonsense -O2") == (1, "", line)


@pytest.mark.parametrize(("free", "works"), [(100_000, True), (0, False)])
def test_a_full_disk_is_one_line(machine: Machine, free: int, works: bool) -> None:
    """The output does not report a missing compiler, because no compiler would work there."""
    machine.add_python().add(cc=COMPILER if works else "exit 1")
    (machine.programs / "df").unlink()
    machine.add(df=f"echo Filesystem; echo '/dev/a b 1000000 900000 {free} 90% /a b'")
    code, out, said = machine.needs(str(machine.folder / "env"), TMPDIR="/tmp")
    here, there = f"600 MiB of free space in {ROOT}", "150 MiB of free space in /tmp"
    assert (code, out, said) == (1, "", f"make setup needs: {here}; {there}\n")
    assert not (machine.folder / "env").exists()


#: A Python that creates an environment with a pip that succeeds or fails.
MAKE_ENVIRONMENT = f"""for environment; do :; done
rm -rf "$environment"
{shutil.which("mkdir")} -p "$environment/bin"
printf '#!/bin/sh\\ncase "$*" in *"pip download"*) exit $REFUSED ;; esac\\n' >"$environment/bin/python"
{shutil.which("chmod")} +x "$environment/bin/python"
exit"""


def test_an_environment_that_is_broken_is_made_again_and_its_pip_tried(machine: Machine) -> None:
    machine.add_python({"-m venv --clear": MAKE_ENVIRONMENT}).add_compiler()
    environment = machine.folder / "env"
    environment.mkdir()
    (environment / ".packages").touch()
    code, out, said = machine.needs(str(environment), REFUSED="1")
    assert (code, out, said.count("\n")) == (1, "", 1)
    assert said.startswith("make setup needs: a way to the package index (")
    assert [path.name for path in environment.iterdir()] == ["bin"]
    # A working environment is not created again.
    (environment / ".packages").touch()
    assert machine.needs(str(environment), REFUSED="0") == (0, "", "")
    assert (environment / ".packages").exists()


@pytest.mark.system
def test_no_way_to_the_index_is_one_line_and_a_broken_environment_is_made_again(machine: Machine) -> None:
    machine.add_python().add_compiler()
    environment = machine.folder / "env"
    python = environment / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/nowhere/python")
    for left in (".packages", ".kernel"):
        (environment / left).touch()
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
    code, out, said = machine.needs(str(environment), **nowhere)
    assert (code, out, said.count("\n")) == (1, "", 1)
    assert said.startswith("make setup needs: a way to the package index (")
    assert subprocess.run([python, "-c", "import pip"], check=False).returncode == 0
    assert not list(environment.glob(".[pk]*"))
    # A folder with the requested packages can be the index.
    (line,) = (x for x in (ROOT / "requirements/dev.txt").read_text().split() if x.startswith("iniconfig=="))
    release = f"iniconfig-{line.removeprefix('iniconfig==')}"
    with zipfile.ZipFile(machine.folder / f"{release}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{release}.dist-info/METADATA", f"Name: iniconfig\nVersion: {release.split('-')[1]}\n")
        wheel.writestr(f"{release}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{release}.dist-info/RECORD", "")
    assert machine.needs(str(environment), **nowhere, PIP_FIND_LINKS=str(machine.folder)) == (0, "", "")


def test_a_build_without_a_compiler_says_so_in_a_line(tmp_path: Path) -> None:
    """The output does not contain pip's long list of copied files."""
    command = [sys.executable, "setup.py", "-q", "build", "--build-base", str(tmp_path / "build")]
    settings = {**os.environ, "CC": "no-such-compiler"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    (line,) = [each for each in (done.stdout + done.stderr).splitlines() if "warning" not in each.lower()]
    assert line.startswith("error: Little-Go compiles its kernel, and there is no C compiler, no-such-compiler: ")
    assert not (tmp_path / "build").exists()
