"""An agent that answers, and stops itself."""

import os
import signal

if __name__ == "__main__":
    with open("output.txt", "w") as file:
        file.write("2,2")
    os.kill(os.getpid(), signal.SIGSTOP)
