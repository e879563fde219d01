"""An agent that forks until there are 400 processes; every process forks."""

import os
import time

if __name__ == "__main__":
    for _ in range(400):
        if not os.fork():
            time.sleep(60)
    time.sleep(60)
