"""Puts a directory in the place of output.txt."""

import os

if __name__ == "__main__":
    os.makedirs("output.txt/deep")
