"""An agent that deletes its directory with all files."""

import os
import shutil

if __name__ == "__main__" and os.path.basename(os.getcwd()) == "agent":
    shutil.rmtree(os.getcwd())
