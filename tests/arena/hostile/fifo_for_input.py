"""An agent that answers the first call, and replaces input.txt by a FIFO."""

import os

if __name__ == "__main__":
    if not os.path.exists("called"):
        with open("output.txt", "w") as file:
            file.write("0,0")
    with open("called", "w") as file:
        file.write("once")
    os.remove("input.txt")
    os.mkfifo("input.txt")
