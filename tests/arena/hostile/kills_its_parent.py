"""An agent that kills the process that started it."""

import os
import signal

if __name__ == "__main__":
    os.kill(os.getppid(), signal.SIGKILL)
