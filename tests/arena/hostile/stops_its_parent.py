"""An agent that answers, and stops the process that started it."""

import os
import signal

if __name__ == "__main__":
    with open("output.txt", "w") as file:
        file.write("2,2")
    os.kill(os.getppid(), signal.SIGSTOP)
