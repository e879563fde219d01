"""An agent that answers, and then writes to standard output without end."""

import os

if __name__ == "__main__":
    with open("output.txt", "w") as file:
        file.write("2,2")
    while True:
        os.write(1, b"x" * (1 << 16))
