"""Makes a FIFO of output.txt."""

import os

if __name__ == "__main__":
    os.mkfifo("output.txt")
