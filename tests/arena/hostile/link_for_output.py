"""Makes a link of output.txt, to a file that is not its own."""

import os

if __name__ == "__main__":
    os.symlink("/etc/passwd", "output.txt")
