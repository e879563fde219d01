"""An agent that makes a directory named output.txt."""

import os

if __name__ == "__main__":
    os.makedirs("output.txt/deep")
