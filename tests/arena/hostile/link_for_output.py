"""An agent that makes a link named output.txt, which leads to a file outside of its directory."""

import os

if __name__ == "__main__":
    os.symlink("/etc/passwd", "output.txt")
