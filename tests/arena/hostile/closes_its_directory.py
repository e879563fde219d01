"""An agent that removes all permissions of its directory."""

import os

if __name__ == "__main__" and os.path.basename(os.getcwd()) == "agent":
    with open("output.txt", "w") as file:
        file.write("2,2")
    os.chmod(".", 0)
