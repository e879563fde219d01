"""An agent whose error message contains commands for a terminal."""

import sys

if __name__ == "__main__":
    sys.exit("\x1b]0;title\a\x1b[2J\x1b[31mno move\x1b[0m\x08\x08 \u202etoday\r\n\x1b[0m\n")
