"""An agent that replaces input.txt and output.txt by links that lead to each other."""

import os

if __name__ == "__main__":
    os.remove("input.txt")
    os.symlink("output.txt", "input.txt")
    os.symlink("input.txt", "output.txt")
