"""Try the README's two commands on new machines: ``make fresh-machine``. The command needs root.

A machine is a minimal Debian in a folder, in which only git and make are installed in addition. If an ordinary user
runs ``make demo``, it must print the command that installs the missing packages. Then root runs ``make demo`` and
``make test``, which install these packages, and the user runs both commands again. The user runs ``make test`` with a
dumb terminal, plain ASCII and a strict umask, and in the order and under the load that STRAINS lists for the machine.
The exit code is 0 only if all commands succeed. The exit code is 3 if the host cannot make such a machine. The machine
uses the host's mirror of Debian and the host's settings of pip. The transcript, ``build/fresh-machine.txt``, begins
with the tested commit. ``--check`` fails if the transcript's commit is not HEAD.

A machine has separate mounts, devices and processes. Nothing of the host's /dev is mounted in a machine. A machine's
folder is removed only if nothing is mounted below the folder.
"""

import argparse
import ast
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

ROOT = Path(__file__).parents[1]

TRANSCRIPT = ROOT / "build" / "fresh-machine.txt"


class Strain(NamedTuple):
    """The conditions of the user's tests on a machine.

    order: pytest's options about the order of the tests; without options, the order is random. busy: the number of
    processes that compute without an end beside the tests.
    """

    order: str
    busy: int


#: The conditions by Debian's name for the release: Debian 12, Debian 13, and the release after Debian 13.
STRAINS = {
    "bookworm": Strain("-p no:randomly", 0),
    "trixie": Strain("-p no:randomly -p tests.reversed_order", 0),
    "testing": Strain("", 4),
}

#: The umask and the settings of the user's tests.
_STRICT = "umask 077; export TERM=dumb LC_ALL=C"

#: The programs that a machine lacks if only the README's packages are installed, and the maximum number of tests that
#: `make test` then skips. The tests that run the page's modules in Node.js are not counted.
OPTIONAL = {
    *(
        "CPython 3.7",
        "DuckDB",
        "MkDocs",
        "Node.js",
        "R",
        "g++",
        "gnugo",
        "javac",
        "kernel.wasm",
        "lief",
        "other Python",
        "pandas",
    ),
    *("sandbox", "typst"),
}
MOST_SKIPPED = 45

CANNOT = 3

#: The devices that programs expect, with their major and minor numbers.
_DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}
_LINKS = {"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
_MOUNTS = (
    ("tmpfs", "dev", "mode=755"),
    ("devpts", "dev/pts", "newinstance,ptmxmode=0666,mode=620,gid=5"),
    ("tmpfs", "dev/shm", "mode=1777"),
    ("proc", "proc", "defaults"),
    ("sysfs", "sys", "ro"),
)

#: The names of pip's settings about the package index and the connection to the index.
_INDEX = {"index-url", "extra-index-url", "proxy", "trusted-host", "cert", "timeout", "default-timeout", "retries"}
_PROXIES = ("http_proxy", "https_proxy", "no_proxy")


class CannotMakeMachine(Exception):
    """Raised if the host cannot make a new machine. The message gives the reason."""


class MachineFailure(Exception):
    """Raised if a command or a check fails on a new machine. The message describes the fault."""


class Person(NamedTuple):
    """A user who runs commands on a machine."""

    name: str
    number: int
    home: str


SUPERUSER, VISITOR = Person("root", 0, "/root"), Person("visitor", 1000, "/home/visitor")


# Functions that run on the host


def output(*command: str | Path) -> str:
    """Return a command's output. Raise CannotMakeMachine if the command fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise CannotMakeMachine(f"no {command[0]} here") from None
    except subprocess.CalledProcessError as error:
        raise CannotMakeMachine(f"{command[0]} fails here: {error.stderr.strip()}") from None


def mirror() -> str:
    """Return the Debian mirror that the host's apt uses. Raise CannotMakeMachine if apt has no mirror."""
    lines = output("apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI)").splitlines()
    found = [line.split(" ", 3) for line in lines]
    for origin, label, component, address in found:
        if (origin, label, component) == ("Debian", "Debian", "main"):
            return address
    raise CannotMakeMachine("apt has no mirror of Debian here: apt-get update")


def pip_settings() -> dict[str, str]:
    """Return pip's settings about its index, except settings that contain paths of the host."""
    settings = {}
    for line in output(sys.executable, "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        if (name := name.rpartition(".")[2]) in _INDEX:
            words = ast.literal_eval(value).split()
            settings[name] = " ".join(word for word in words if name == "cert" or not word.startswith(("/", "file:")))
    return {name: value for name, value in settings.items() if value}


def check_host() -> None:
    """Raise CannotMakeMachine if the host cannot make a machine."""
    if os.geteuid() != 0:
        raise CannotMakeMachine("that takes root")
    output("debootstrap", "--version")
    output("unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.mknod(Path(folder, "null"), stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except OSError as error:
            raise CannotMakeMachine(f"no device can be made here: {error.strerror}") from None
    mirror()


def mounted_below(folder: Path, table: Path = Path("/proc/self/mountinfo")) -> list[Path]:
    """Return the mounts in a folder or below it."""
    points = (line.split()[4].replace("\\040", " ") for line in table.read_text("utf-8").splitlines())
    return [Path(point) for point in points if Path(point).is_relative_to(folder.resolve())]


@contextmanager
def place() -> Iterator[Path]:
    """Yield a folder for a machine.

    At the end remove the folder, or raise MachineFailure if something is mounted below it.
    """
    folder = Path(tempfile.mkdtemp(prefix="fresh-machine-"))
    try:
        yield folder
    finally:
        if below := mounted_below(folder):
            raise MachineFailure(f"{folder} is not removed, because {below[0]} is mounted")
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


def commit() -> str:
    """Return the hash of the last commit."""
    return output("git", "-C", ROOT, "rev-parse", "HEAD").strip()


def check_transcript(path: Path) -> None:
    """Raise MachineFailure if a transcript's commit is not the last commit, or if it contains a failure."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise MachineFailure(f"{path}: {error.strerror}") from None
    if not lines or lines[0] != f"commit {commit()}":
        raise MachineFailure(f"{path} is of {lines[0] if lines else 'no commit'}, and HEAD is {commit()}")
    if lines[-1] != ENDED_WELL:
        raise MachineFailure(f"{path}: a command failed: {lines[-1]}")


#: The last line of a transcript if nothing failed.
ENDED_WELL = "both commands work on each of these machines"


def try_suites(suites: Sequence[str], transcript: TextIO) -> None:
    """Try the two commands on new machines and write a transcript. Raise MachineFailure if a command fails."""
    print(f"commit {commit()}", file=transcript, flush=True)
    for suite in suites:
        try_suite(suite, transcript)
    print(ENDED_WELL, file=transcript)


def try_suite(suite: str, transcript: TextIO) -> None:
    """Try the two commands on a new machine. Raise MachineFailure if a command fails."""
    with place() as folder:
        output("git", "-C", ROOT, "bundle", "create", "--quiet", folder / "little-go.bundle", "HEAD")
        alone = ("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child")
        this = (sys.executable, "-m", "tools.fresh_machine", "--inside", str(folder), suite)
        with subprocess.Popen(
            [*alone, *this], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace",
        ) as process:  # fmt: skip
            for line in process.stdout or ():
                print(line, end="", flush=True)
                transcript.write(line)
                transcript.flush()
        if process.returncode != 0:
            print(f"{suite}: failed", file=transcript)
            raise MachineFailure(f"{suite}: the two commands do not work on a new machine")


# The code below runs in the machine, which has its own mount and process namespaces


class Machine:
    """A minimal Debian in a folder."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.root = folder / "root"
        self.suite = suite
        self.told: list[str] = []
        address = mirror()
        self._say(f"a minimal Debian {suite}")
        began = time.monotonic()
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", suite, str(self.root), address],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise MachineFailure(f"debootstrap {suite}: {done.stdout.strip().splitlines()[-1]}")
        self._note("debootstrap", "", time.monotonic() - began)
        self._mount()
        self._configure()
        shutil.move(folder / "little-go.bundle", self.root / "srv")

    def _mount(self) -> None:
        for kind, at, options in _MOUNTS:
            (self.root / at).mkdir(exist_ok=True)
            subprocess.run(["mount", "-t", kind, "-o", options, kind, self.root / at], check=True)
        for name, numbers in _DEVICES.items():
            os.mknod(self.root / "dev" / name, stat.S_IFCHR, os.makedev(*numbers))
            (self.root / "dev" / name).chmod(0o666)
        for name, target in _LINKS.items():
            (self.root / "dev" / name).symlink_to(target)

    def _configure(self) -> None:
        """Copy the host's settings of the network, of apt and of pip to the machine."""
        etc = self.root / "etc"
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", etc / name)
        (etc / "apt/apt.conf.d/90host").write_text(output("apt-config", "dump", "Acquire"), "utf-8")
        settings = pip_settings()
        if certificates := settings.get("cert"):
            shutil.copy(certificates, etc / "index.pem")
            settings["cert"] = "/etc/index.pem"
        lines = [f"{name} = {value}\n" for name, value in settings.items()]
        (etc / "pip.conf").write_text("".join(["[global]\n", *lines]), "utf-8")

    def run(self, person: Person, command: str, folder: str = "") -> str:
        """Run a command as a person, in a folder of the home directory, and return its output.

        Raise MachineFailure if the command fails.
        """
        code, said = self.attempt(person, command, folder)
        if code != 0:
            raise MachineFailure(f"{self.suite}: {person.name}: {command}: exit code {code}")
        return said

    def attempt(self, person: Person, command: str, folder: str = "") -> tuple[int, str]:
        """Run a command in the same way as run(), and return its exit code and its output."""
        print(f"\n{person.name}@{self.suite}:~/{folder}$ {command}", flush=True)
        began = time.monotonic()
        process = subprocess.Popen(
            ["/usr/sbin/chroot", f"--userspec={person.number}:{person.number}", "--groups=", self.root, "/bin/sh", "-c",
             f'cd "$HOME/{folder}" && {command}'],
            env=self._environment(person), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace",
        )  # fmt: skip
        lines = []
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
        code, said = process.wait(), "".join(lines)
        counted = re.findall(r"^.*\b\d+ passed\b.*$", said, re.MULTILINE)
        self._note(f"{person.name}: {command}", counted[-1].strip("= ") if counted else "", time.monotonic() - began)
        return code, said

    def _environment(self, person: Person) -> dict[str, str]:
        path = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"
        path = path if person.number else f"/usr/local/sbin:/usr/sbin:/sbin:{path}"
        kept = {name: os.environ[name] for name in _PROXIES if name in os.environ}
        return kept | {"PATH": path, "HOME": person.home, "USER": person.name, "LOGNAME": person.name}

    def _say(self, line: str) -> None:
        print(f"\n=== {line}", flush=True)

    def _note(self, what: str, found: str, seconds: float) -> None:
        self.told.append(f"{self.suite:9} {what:45} {seconds:6.0f} s  {found}")
        print(f"[{seconds:.0f} s]", flush=True)


def check_skipped(said: str) -> None:
    """Raise MachineFailure if `make test` skipped too many tests, or a test because of a program not in OPTIONAL."""
    counted = re.search(r"(\d+) skipped", said)
    if not counted:
        return
    named = re.search(rf"^{counted[1]} tests? skipped without (.+): `make programs`", said, re.MULTILINE)
    missing = dict(re.findall(r"(\w[^,]*) \((\d+)\)", named[1])) if named else {}
    if not named or (unknown := missing.keys() - OPTIONAL):
        raise MachineFailure(f"{counted[0]}, not for optional programs alone: {unknown if named else said[-200:]}")
    if (count := int(counted[1]) - int(missing.get("Node.js", 0))) > MOST_SKIPPED:
        raise MachineFailure(f"{count} skipped with Node.js, and {MOST_SKIPPED} is the most")


def try_commands(machine: Machine) -> None:
    """Clone the project, and run both commands as both persons. Raise MachineFailure if a command fails."""
    machine.run(SUPERUSER, "apt-get update --quiet && apt-get install --quiet --yes git make")
    machine.run(SUPERUSER, f"useradd --create-home --uid {VISITOR.number} {VISITOR.name}")
    for person in (VISITOR, SUPERUSER):
        machine.run(person, "git clone --quiet --config advice.detachedHead=false /srv/little-go.bundle little-go")
    # The ordinary user cannot install packages, so `make setup` must print one line with the command.
    code, said = machine.attempt(VISITOR, "make demo", "little-go")
    needs = [line for line in said.splitlines() if line.startswith("make setup needs: ")]
    if code == 0 or len(needs) != 1 or ": apt-get install " not in needs[0]:
        raise MachineFailure(f"{machine.suite}: a user is not given the command that installs what is missing")
    for person, test in ((SUPERUSER, "make test"), (VISITOR, strained(STRAINS[machine.suite]))):
        machine.run(person, "make demo", "little-go")
        check_skipped(machine.run(person, test, "little-go"))


def strained(strain: Strain) -> str:
    """Return the command that runs ``make test`` under these conditions, with the exit code of the tests."""
    test = f"PYTEST_ADDOPTS='{strain.order}' make test"
    if not strain.busy:
        return f"{_STRICT}; {test}"
    begin = f'busy=; for each in $(seq {strain.busy}); do (while :; do :; done) & busy="$busy $!"; done'
    return f"{_STRICT}; {begin}; {test}; code=$?; kill $busy; exit $code"


def adopt_orphans() -> None:
    """Fork the process.

    The parent stays the machine's first process and reaps orphans; the function returns in the child.
    """
    if (child := os.fork()) == 0:
        return
    while True:
        ended, status = os.wait()
        if ended == child:
            os._exit(int(status != 0))


def inside(folder: Path, suite: str) -> None:
    """Make a machine and try the commands on it. Raise MachineFailure if a command fails."""
    adopt_orphans()
    # If a shell started this process in the background, these signals are ignored, and all child processes would ignore
    # them too.
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    machine = Machine(folder, suite)
    try:
        try_commands(machine)
    finally:
        print("\n" + "\n".join(machine.told), flush=True)


def main() -> None:
    """Try the two commands on each machine."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--inside", type=Path, metavar="FOLDER", help="run inside the machine in this folder")
    parser.add_argument(
        "--check", nargs="?", type=Path, const=TRANSCRIPT, metavar="FILE", help="only check a transcript"
    )
    parser.add_argument("suites", nargs="*", help=f"releases of Debian: {', '.join(STRAINS)}; without one, all")
    asked = parser.parse_args()
    if unknown := [suite for suite in asked.suites if suite not in STRAINS]:
        parser.error(f"unknown release {unknown[0]!r}: give one of {', '.join(STRAINS)}")
    try:
        if asked.inside:
            inside(asked.inside, *asked.suites)
            return
        if asked.check:
            check_transcript(asked.check)
            return
        check_host()
        TRANSCRIPT.parent.mkdir(exist_ok=True)
        with open(TRANSCRIPT, "w", encoding="utf-8") as transcript:
            try_suites(asked.suites or list(STRAINS), transcript)
    except CannotMakeMachine as error:
        print(f"fresh machines are not tried: {error}", file=sys.stderr)
        sys.exit(CANNOT)
    except MachineFailure as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    main()
