"""An agent that ignores all signals that it can, answers, and does not end."""

import signal
import time

if __name__ == "__main__":
    for number in signal.valid_signals():
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_IGN)
    with open("output.txt", "w") as file:
        file.write("2,2")
    time.sleep(60)
