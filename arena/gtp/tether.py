"""Run a program that must end when its parent ends: ``python tether.py PARENT PROGRAM...``. PARENT is a process id.

This process leads a process group, which contains the program, and kills the group when the program or the parent ends
for any reason. It is started by its path in an interpreter without site packages, so it imports only the standard
library.
"""

import os
import select
import signal
import sys

assert sys.platform == "linux"


def main(parent: int, program: list[str]) -> None:
    """Start the program, wait until the program or the parent ends, and kill the group.

    Exits with code 2 if this process does not lead its group, because the group would contain other programs.
    """
    if os.getpgrp() != os.getpid():
        print("tether.py: it does not lead a process group: start it with setsid", file=sys.stderr)
        sys.exit(2)
    try:
        started = os.posix_spawnp(program[0], program, os.environ)
        poll = select.poll()
        for process in (parent, started):
            poll.register(os.pidfd_open(process), select.POLLIN)
        # If the parent ended before its descriptor was opened, its id may belong to another process.
        if os.getppid() == parent:
            poll.poll()
        # A process that waits for an ended child takes over the child's CPU time, so the parent can measure it here.
        os.waitpid(started, os.WNOHANG)
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
