"""Run a program that must end when its parent ends: ``python tether.py PARENT PROGRAM...``. PARENT is a process id.

This process leads a process group, which contains the program, and kills the group when the program or the parent ends.
The file is run by its path, without site packages, so it imports only the standard library.
"""

import os
import select
import signal
import sys

assert sys.platform == "linux"


def main(parent: int, program: list[str]) -> None:
    """Start the program, wait until the program or the parent ends, and kill the process group.

    Exit with code 2 if this process does not lead its process group, because the group would contain other programs.
    """
    if os.getpgrp() != os.getpid():
        print("tether.py: it does not lead a process group: start it with setsid", file=sys.stderr)
        sys.exit(2)
    try:
        started = os.posix_spawnp(program[0], program, os.environ)
        poll = select.poll()
        for process in (parent, started):
            poll.register(os.pidfd_open(process), select.POLLIN)
        # Wait only if the parent still exists, because otherwise another process may have the parent's id.
        if os.getppid() == parent:
            poll.poll()
        # Waiting for the ended program adds its CPU time to the time of this process, so that the parent can measure
        # it.
        os.waitpid(started, os.WNOHANG)
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
