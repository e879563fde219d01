"""An agent that replaces its directory by a link to another directory."""

import os

if __name__ == "__main__" and os.path.basename(os.getcwd()) == "agent":
    here = os.getcwd()
    other = os.path.join(os.path.dirname(here), "other")
    os.makedirs(other, exist_ok=True)
    with open(os.path.join(other, "input.txt"), "w") as file:
        file.write("not the host's to delete")
    os.rename(here, here + ".away")
    os.symlink(other, here)
