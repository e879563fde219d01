"""An agent that makes a FIFO named output.txt."""

import os

if __name__ == "__main__":
    os.mkfifo("output.txt")
