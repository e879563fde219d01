"""An agent that replaces input.txt by a directory that is too deep for a recursive program."""

import os

if __name__ == "__main__":
    here = os.getcwd()
    os.remove("input.txt")
    os.mkdir("input.txt")
    os.chdir("input.txt")
    for _ in range(1200):
        os.mkdir("deeper")
        os.chdir("deeper")
    os.chdir(here)
