"""An agent that answers, and leaves a child in another session, which burns time and would write the next answer."""

import os
import time

if __name__ == "__main__":
    with open("output.txt", "w") as file:
        file.write("2,2")
    if not os.fork():
        os.setsid()
        if not os.fork():
            with open("left", "w") as file:
                file.write(f"{os.getpid()}.")
            end = time.monotonic() + 60
            while time.monotonic() < end:
                with open("next", "w") as file:
                    file.write("4,4")
                os.replace("next", "output.txt")
        os._exit(0)
    os.wait()
    while not os.path.exists("left") or os.path.getsize("left") == 0:
        time.sleep(0.01)
