"""Worker processes that behave: deaf to Ctrl-C, which is their parent's to answer, and gone when it is gone."""

import multiprocessing
import os
import signal
import threading
import time

#: Seconds between looks at whether the parent is still there.
_PARENT_CHECK = 1.0


def serve_parent() -> None:
    """Tie this process to its parent; to be called first thing in a worker.

    Every worker of ours calls it; programs that are not ours are held by what the arena starts them with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # A parent that has ended by now is not the one that the system names.
    parent = multiprocessing.parent_process()
    number = parent.pid if parent is not None and parent.pid else os.getppid()
    threading.Thread(target=_follow, args=(number,), daemon=True).start()


def _follow(parent: int) -> None:
    # A parent killed with -9 closes nothing: its workers would wait for work for ever.
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    os._exit(1)
