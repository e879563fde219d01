"""Forks 400 times: every process once more, as long as there are less."""

import os
import time

if __name__ == "__main__":
    for _ in range(400):
        if not os.fork():
            time.sleep(60)
    time.sleep(60)
