"""Long and deeply nested texts that no reader can use, and the CPU time of reading them.

``python -m tests.notation.hostile`` reads each text in this process, within a CPU limit, and prints a line of JSON for
each.
"""

import json
import resource
import time
from typing import NamedTuple

#: The number of characters of a text of one repeated character, and of any other text.
SIZE, PART = 1_000_000, 250_000
#: The result of a text that is read.
READ = "read"
#: The limit of CPU seconds for all texts, after which the system kills the process. A reader that backtracks over a
#: text would take hours.
LIMIT = 300


class Hostile(NamedTuple):
    """A text: a beginning, a repeated piece, and an end.

    many: the number of repetitions, or None to fill the size. may_be_read: whether a reader may find a position in it.
    """

    piece: str
    begin: str = ""
    end: str = ""
    many: int | None = None
    may_be_read: bool = False

    @property
    def times(self) -> int:
        """The number of repetitions of the piece."""
        size = SIZE if len(self.piece) == 1 else PART
        return size // len(self.piece) if self.many is None else self.many

    @property
    def text(self) -> str:
        """The text."""
        return self.begin + self.piece * self.times + self.end


SIGNS = "()[]{}<>|'\"`“”«,;:.!?+-_*#/\\=~$&%@^0159aAeExXoObBwW黒○●　\t\n"
PIECES = (
    "C3 ", "2,2 ", "(2, 2), ", "[2,2],", "2,2", "1. ", "1.", "12 ", "1,", "1 , ", "X ", "B W ", "X 2,2  O 2,2  ",
    "PASS ", "Better: ", "moves: ", "--moves ", "--moves \"",
    "--komi 2.5 ", "White to move\n", "Black ", "to move ", "ply 5 ", "Next: ", "of 24 plies played, ",
    "black: C3, white: ", "> ", ">", "| ", "$$ ", "$$B ", ". ", ".....\n",
    "-----\n", "00000\n", "1\n", ". X O . .  ", "./", "(.)", "play b C3\n", "play ", "undo\n", "= C3\n", "genmove b\n",
    "1 play ", ";B[cc]", "(;", "(;B[aa]", "(;C[", "AB[aa]",
    "B[", "[]", "{}", "[[", "]]", '"moves": ', '{"moves": "', '"a": 1, ', '\\"', "\\\\", "#moves=",
    "explorer.html#moves=", "&at=1", "%23moves%3D", "%2C", "%",
    "<td>", "[0, 0, 0, 0, 0], ", "'.', ", "[0 0 0 0 0]\n", "0x", "1e5", "1_", "\r", "\r\n", "\u2028", "\u200b",
    "e\u0301", "ﷺ", "\U0001f7eb", "\ud800", "Komi: ", "(White ",
)  # fmt: skip
DEEP = 5000
NESTED = (
    ("[", "]", ""), ("{\"a\":", "}", "1"), ('{"moves": [', "]}", ""), ("[[2,2],", "]", "1"), ("(", ")", "C3"),
    ("(;B[cc]", ")", ""), ("(;SZ[5]", ")", ""),
    ("{", "}", ""), ("[{", "}]", ""), ('{"moves":', "}", '"2,2"'), ("<b>", "</b>", ""), ("> ", "", "."),
)  # fmt: skip
TEXTS = (
    *(Hostile(sign) for sign in SIGNS),
    *(Hostile(piece) for piece in PIECES),
    *(
        Hostile(opening, end=middle + closing * DEEP, many=DEEP, may_be_read=opening in ("(", "(;SZ[5]"))
        for opening, closing, middle in NESTED
    ),
    *(Hostile(opening, begin='{"moves": ', end=middle + closing * DEEP + "}", many=DEEP) for opening, closing,
    middle in NESTED[:4]),
    Hostile("x", begin=". . . . . "),
    Hostile(" ", begin="C3", end="x"),
    Hostile(" ", begin=". . . . .\n" * 4 + ". . . . ", end="y"),
    Hostile(" ", begin=". . . . .\n" * 5 + "White ", end="to ply", may_be_read=True),
    Hostile("x", begin=". . . . .\n" * 5 + "White to move ", may_be_read=True),
    Hostile("C3 ", begin='{"moves": "', end='"}'),
    Hostile("2,2,", begin='{"moves": [', end="0]}"),
    Hostile("9", begin='{"key": ', end="}"),
    Hostile("9", begin='{"black": 1, "white": ', end=', "ply": 2}'),
    Hostile("[2,2],", begin='{"moves": [', end="[0,0]]}"),
    Hostile('"a": {"b": 1}, ', begin="{", end='"moves": 5}'),
    Hostile("2,2.", begin="explorer.html#moves="),
    Hostile("0", begin="1\n"),
    Hostile("00000\n", begin="1\n", may_be_read=True),
    Hostile("\n", begin="1", end="0"),
    Hostile("[aa]", begin="(;SZ[5]AB", end="AW[aa])"),
    Hostile(";B[aa];W[bb]", begin="(;SZ[5]", end=")"),
    Hostile("(;C[a])", begin="(;SZ[5];B[cc]", end=";W[cc])"),
)  # fmt: skip


def main() -> None:
    from little_go.notation.faults import NotationError
    from little_go.notation.forms import read
    from little_go.solver.family import COURSE

    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    for number, each in enumerate(TEXTS):
        content = each.text.encode("utf-8", "surrogatepass")
        before = time.process_time()
        try:
            read(content, COURSE)
            said = READ
        except NotationError as error:
            said = str(error)
        except Exception as error:
            said = f"raised: {type(error).__name__}"
        print(json.dumps({"number": number, "said": said, "cpu": time.process_time() - before}), flush=True)


if __name__ == "__main__":
    main()
