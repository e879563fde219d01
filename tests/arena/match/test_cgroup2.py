"""Control groups of version 2, on a kernel that has only these: User-Mode Linux, booted from this machine's files."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]

#: A test of memory that the warden cannot see in /proc.
SANDBOXED = "tests/arena/match/test_sandbox.py::test_a_control_group_keeps_the_limit_that_no_look_can_see"

#: A program that makes a group, in which a program takes 0.2 s in a child that the kernel reaps, and twice its memory.
ASK = """
import json, os, signal, sys, time
from little_go.arena.match.control_group import make_group
group = make_group(1 << 26)
if group is not None:
    program = os.fork()
    if not program:
        group.enter()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        if not os.fork():
            while time.process_time() < 0.2:
                pass
            os._exit(0)
        time.sleep(1)
        kept = b" " * (1 << 27)
        os._exit(0)
    killed = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    told, seconds = group.has_killed, group.seconds
    group.remove()
    left = any(each.path.exists() for each in group._groups)
    print(json.dumps([sys.argv[1], killed, told, seconds >= 0.2, left]))
else:
    print(json.dumps([sys.argv[1], None]))
"""

#: The first process of the machine. The files are read-only, and mounted as in a session or a container.
BOOT = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys
mount -t tmpfs tmp /mnt; mkdir /mnt/clone; mount --bind {root} /mnt/clone; cp {folder}/ask.py /mnt
mount -t tmpfs tmp /tmp; mkdir -p {root}; mount --bind /mnt/clone {root}
mount -t cgroup2 cgroup2 /sys/fs/cgroup; cd /sys/fs/cgroup
echo +memory > cgroup.subtree_control
mkdir session user; echo +memory > user/cgroup.subtree_control; mkdir user/terminal
chown 1000 user user/terminal user/cgroup.procs user/terminal/cgroup.procs
ask() {{ echo 0 > $1/cgroup.procs; PYTHONPATH={root} $3 {python} /mnt/ask.py "$2"; }}
ask . "root, in no group"
ask session "root, in a session"
ask user/terminal "a user, delegated" "setpriv --reuid 1000 --regid 1000 --clear-groups"
ask session "a user, not delegated" "setpriv --reuid 1000 --regid 1000 --clear-groups"
cd {root}; echo 0 > /sys/fs/cgroup/session/cgroup.procs; export PYTHONPATH={root} PYTHONDONTWRITEBYTECODE=1
unshare --cgroup --mount sh -c "umount /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup
exec {python} /mnt/ask.py 'root, in a container'"
HYPOTHESIS_STORAGE_DIRECTORY=/tmp {python} -m pytest -q -p no:cacheprovider {test}
halt -f
"""


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("linux.uml"), reason="no linux.uml here (Debian: user-mode-linux)")
def test_version_2_keeps_the_limit_where_the_controller_is_delegated(tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(ASK)
    boot = tmp_path / "boot"
    boot.write_text(BOOT.format(root=ROOT, folder=tmp_path, python=sys.executable, test=SANDBOXED))
    boot.chmod(0o755)
    # The memory of the machine is a file. Its console is the standard output of this process.
    machine = ["linux.uml", "mem=1G", "root=none", "rootfstype=hostfs", "rootflags=/", "ro", f"init={boot}", "quiet"]
    said = subprocess.run([*machine, "con=null", "con0=null,fd:1"], capture_output=True, text=True, timeout=300).stdout
    found: dict[str, Any] = {}
    for line in said.splitlines():
        if line.startswith("["):
            name, *rest = json.loads(line)
            found[name] = rest
    assert found == {
        "root, in no group": [-9, True, True, False],
        "root, in a session": [-9, True, True, False],
        "a user, delegated": [-9, True, True, False],
        "a user, not delegated": [None],
        # Without the controller of memory, CPU time counts nevertheless.
        "root, in a container": [0, False, True, False],
    }, said
    assert "1 passed" in said or not shutil.which("bwrap"), said
