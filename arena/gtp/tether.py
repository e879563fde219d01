"""Run a program that ends with its parent: ``python tether.py PARENT PROGRAM...``, PARENT a process id.

It leads a process group with the program in it, and kills the group when the program or the parent ends in any way. It
runs by its path in an interpreter without site packages, so it imports the standard library alone.
"""

import os
import select
import signal
import sys

assert sys.platform == "linux"


def main(parent: int, program: list[str]) -> None:
    """Start the program, wait for it or the parent to end, and kill the group.

    Raises SystemExit, with exit code 2, unless this process leads its group, which would then be somebody else's.
    """
    if os.getpgrp() != os.getpid():
        print("tether.py: it does not lead a process group: start it with setsid", file=sys.stderr)
        sys.exit(2)
    try:
        started = os.posix_spawnp(program[0], program, os.environ)
        poll = select.poll()
        for process in (parent, started):
            poll.register(os.pidfd_open(process), select.POLLIN)
        # The parent may have ended, and its id been reused, before the line above.
        if os.getppid() == parent:
            poll.poll()
        # Waiting for the program passes its CPU time to the parent.
        os.waitpid(started, os.WNOHANG)
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
