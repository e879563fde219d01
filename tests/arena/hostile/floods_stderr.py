"""An agent that writes to standard error without end."""

import os

if __name__ == "__main__":
    while True:
        os.write(2, (b"\x1b[31m\a" * 16 + b"\n") * 256)
