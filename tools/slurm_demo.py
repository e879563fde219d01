"""Run the example of docs/guides/SCALING.md on SLURM with one node, which ends a worker: ``make slurm-demo``.

The command needs root, slurmctld, slurmd, munged and dask-jobqueue. All files of the command are in a new directory, so
it does not change an installed SLURM. The exit code is 0 if SLURM has ended a worker at its time limit and the rows are
the same as after a run on threads.
"""

import argparse
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from little_go.book.files.atlas import read_atlas
from tools.loopback import free_port, wait_until

ROOT = Path(__file__).parents[1]

#: The options for the atlas. The atlas of the game of 20 plies takes a worker longer than the remaining half minute of
#: its first SLURM job.
GAME = ("--depth", "2", "--verdict", "--table", "256MiB", "--split-nodes", "500000")

_SLURM = """
ClusterName=demo
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName=standard Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

#: Pairs of a pattern of a text in the example, and its replacement. The time limit of a job is one minute, which is
#: SLURM's minimum.
_CHANGES = (
    (r'clone = Path.home\(\) / "little-go"', "clone = Path({clone!r})"),
    (r'interface="ib0"', 'interface="lo"'),
    (r"cores=16", "cores=1"),
    (r'memory="40GB"', 'memory="1GB"'),
    (r'walltime="24:00:00"', 'walltime="00:01:00"'),
    (r'log_directory=str\(clone / "logs"\)', "log_directory={logs!r}"),
    (r'python=str\(clone / ".venv/bin/python"\)', "python={python!r}"),
    (r'"port": 8786', '"port": {port}, "dashboard_address": None'),
    (r"jobs=8", "jobs=1"),
)


def example(**here: str | int) -> str:
    """Return the example's code with the replacements. Raise AssertionError if a text is not found exactly once."""
    text = (ROOT / "docs" / "guides" / "SCALING.md").read_text("utf-8")
    (code,) = map(str, re.findall(r"^```python\n(.*?SLURMCluster.*?)^```$", text, re.DOTALL | re.MULTILINE))
    for old, new in _CHANGES:
        code, times = re.subn(old, new.format(**here), code)
        assert times == 1, f"docs/guides/SCALING.md has {times} times {old}"
    return code


@contextmanager
def running(*command: str, log: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a program until the ``with`` block ends, and write its output to a log."""
    with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=file, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.terminate()


def slurm(folder: Path, stack: ExitStack) -> None:
    """Start MUNGE, and SLURM with one node. MUNGE and SLURM run until ``stack`` is closed."""
    # MUNGE requires that other users cannot write to the directories, and SLURM requires that they exist.
    for name in ("munge", "state", "spool", "logs"):
        (folder / name).mkdir(mode=0o755)
    key = folder / "munge" / "key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o400)
    files = ("key-file", "socket", "pid-file", "seed-file", "log-file")
    paths = [f"--{name}={folder}/munge/{name.removesuffix('-file')}" for name in files]
    stack.enter_context(running("munged", "--foreground", "--force", *paths, log=folder / "munged.txt"))
    wait_until((folder / "munge" / "socket").exists)
    host, cpus = socket.gethostname().partition(".")[0], os.cpu_count()
    text = _SLURM.format(folder=folder, host=host, cpus=cpus, ports=(free_port(), free_port()))
    (folder / "slurm.conf").write_text(text)
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    stack.enter_context(running("slurmctld", "-D", "-i", log=folder / "slurmctld.txt"))
    stack.enter_context(running("slurmd", "-D", "-N", host, log=folder / "slurmd.txt"))
    wait_until(lambda: "idle" in said("sinfo", "--noheader", "--format=%T"))


def said(*command: str) -> str:
    """Return a program's output."""
    return subprocess.run(command, capture_output=True, text=True).stdout


def rows(folder: Path, plies: int, *where: str) -> dict[str, bool]:
    """Compute the atlas of a game in a folder. Return, for each row, whether Black wins."""
    folder.mkdir()
    files = ["--plies", str(plies), "--db", str(folder / "book.db"), "--out", str(folder / "atlas.csv.gz")]
    subprocess.run([sys.executable, "-m", "little_go.generator", "atlas", *GAME, *files, *where], check=True, cwd=ROOT)
    return {str(row.position): row.lo >= 3 for row in read_atlas(folder / "atlas.csv.gz")}


def main() -> int:
    """Start SLURM, run the example, compare the rows, and stop SLURM. Return 0 if the demo succeeds, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.slurm_demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--plies", type=int, default=20, help="the plies of the game; give fewer on a slow machine (20)"
    )
    parser.add_argument(
        "--age", type=int, default=30, help="the age in seconds of the first job when the search begins (30)"
    )
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("make slurm-demo must be run by root", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="slurm-demo-") as name, ExitStack() as stack:
        folder = Path(name)
        slurm(folder, stack)
        print(said("sinfo").strip(), flush=True)
        port = free_port()
        here: dict[str, str | int] = {
            "clone": str(ROOT),
            "logs": str(folder / "logs"),
            "python": sys.executable,
            "port": port,
        }
        (folder / "example.py").write_text(example(**here))
        stack.enter_context(running(sys.executable, str(folder / "example.py"), log=folder / "example.txt"))
        stack.callback(subprocess.run, ["scancel", "--full", "--user", "root"])
        started = time.monotonic()
        wait_until(lambda: "\ntcp:" in "\n" + (folder / "example.txt").read_text(), 120)
        wait_until(lambda: "R" in said("squeue", "--noheader", "--format=%t").split(), 120)
        time.sleep(options.age)
        by_slurm = rows(folder / "slurm", options.plies, "--scheduler", f"tcp://127.0.0.1:{port}")
        print(said("scontrol", "show", "jobs", "--oneliner"))
        states = re.findall(r"JobState=(\w+)", said("scontrol", "show", "jobs"))
        print(f"{time.monotonic() - started:.0f} s, jobs: {', '.join(states)}", flush=True)
        same = by_slurm == rows(folder / "threads", options.plies, "--workers", "1")
    print(f"SLURM has ended a worker at its time limit: {'TIMEOUT' in states}; the same rows as on threads: {same}")
    return 0 if same and "TIMEOUT" in states else 1


if __name__ == "__main__":
    sys.exit(main())
