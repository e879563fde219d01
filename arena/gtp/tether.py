"""Run a program that ends with its parent: ``python tether.py PARENT PROGRAM...``, PARENT a process id.

It leads a process group with the program in it. When the program ends, or the parent does, however that came,
all of the group is killed. It is started by its path in an interpreter without site packages, so it imports
nothing but the standard library.
"""

import os
import select
import signal
import sys

assert sys.platform == "linux"


def main(parent: int, program: list[str]) -> None:
    """Start the program, wait for the first of the two to end, and kill the group."""
    try:
        started = os.posix_spawnp(program[0], program, os.environ)
        poll = select.poll()
        for process in (parent, started):
            poll.register(os.pidfd_open(process), select.POLLIN)
        # The parent may have ended, and its number been given away, before the line above.
        if os.getppid() == parent:
            poll.poll()
        # Waiting for the program is what makes its CPU time known to the parent.
        os.waitpid(started, os.WNOHANG)
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
