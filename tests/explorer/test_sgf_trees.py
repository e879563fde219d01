"""The page keeps the parts of an SGF that it cannot show, and reports them in a note."""

import random
import re

from little_go.solver.position import PASS, START, IllegalMove, Position
from tests.explorer.vectors import PageModules

TREES = 150

FORK = "(;SZ[5];B[cc];W[bb]"


#: An SGF, the text that must be written again, and the beginning of the note.
KEPT = [
    (f"{FORK}(;B[dd])(;AB[aa]AW[ee]PL[B];B[ab]))", "(;AB[aa]AW[ee]PL[B];B[ab])", "A variation is kept"),
    (f"{FORK}(;B[dd])(;B[bb];W[aa]))", "(;B[bb];W[aa])", "A variation is kept"),
    (f"{FORK}(;B[dd])(;W[aa])(;B[ee];W[dd];B[dd]))", "(;W[aa])", "2 variations are kept"),
    (f"{FORK}MA[aa][ab]LN[aa:bb];B[dd])", "MA[aa][ab]LN[aa:bb]", "The marks LN and MA are kept"),
    (f"{FORK}(;B[dd])(;C[note only];B[aa]))", ";B[aa]C[note only]", ""),
    (f"{FORK}(;B[dd])(;C[words alone]))", "(;C[words alone])", "A variation is kept"),
    (f"{FORK};C[one];C[two];B[dd])", ";W[bb]C[one\ntwo]", ""),
    (f"{FORK}(;B[aa];W[ab];B[dd])(;B[aa];W[ab];B[ee]C[x]))", ";B[ee]C[x]", ""),
    (
        f"{FORK};AE[bb]AW[dd]PL[B](;B[aa])(;B[ee]C[x]))",
        ";B[ee]C[x]",
        "The 2 moves before its last set-up do not count",
    ),
    ("(;SZ[5]PB[A\\]nn]EV[Cup];B[cc]BL[30])", "PB[A\\]nn]EV[Cup]", ""),
    ("(;SZ[5]B[cc]W[bb]C[both];B[dd])", ";W[bb]C[both]", ""),
    ("(;SZ[5];B[cc];W[cc];B[aa]C[x])", ";W[cc];B[aa]C[x]", "Move 2 is illegal"),
]


def test_what_is_not_shown_is_kept(page_modules: PageModules) -> None:
    wrong = []
    for (text, kept, note), (game,) in zip(KEPT, page_modules.ask("games", [row[0] for row in KEPT]), strict=True):
        again = game["again"].replace(")\n(", ")(").replace("\n;", ";")
        if kept not in again or note not in game["note"] or bool(note) != bool(game["note"].replace(GUESS, "")):
            wrong.append((text, again, game["note"]))
    assert wrong == []


def test_nodes_without_brackets_may_have_variations(page_modules: PageModules) -> None:
    (games,) = page_modules.ask("games", [";B[cc];W[bb](;B[dd]C[one])(;B[aa])"])
    assert [game["moves"] for game in games] == [[12, 6, 18]]
    assert [game["note"] for game in games] == [""]
    last = games[0]["root"]["children"][0]["children"][0]
    assert [child["move"] for child in last["children"]] == [18, 0]


def test_what_was_computed_is_marked_and_no_line_of_one_s_own(page_modules: PageModules) -> None:
    # The user's SGF has two variations at move 2. One computed line begins with the same move as a variation, and one
    # is new.
    text = "(;SZ[5];B[cc](;W[bb]C[mine])(;W[dd]C[mine too]))"
    (found,) = page_modules.ask("computed", [[text, [12], [[18, 0], [11, 0]]]])
    said = "B+0.5 under best play."
    assert found["once"].replace("\n", "").partition(f";B[cc]C[{said}]")[2] == (
        f"(;W[bb]C[mine{said}])(;W[dd]C[mine too{said}])(;W[bc]C[Better: W+2.5.];B[aa]))"
    )
    own, other, computed = found["root"]["children"][0]["children"]
    assert [each["note"] for each in (own, other, computed)] == ["mine", "mine too", "Better: W+2.5."]
    assert found["twice"].count("Better") == found["once"].count("Better") == 1


#: The note on the ply of a set-up. It is not the subject of this test.
GUESS = "Its set-up does not tell the ply: it cannot be less than 2, so 2 is taken. “Edit” changes it."


class Writer:
    """A writer of random games in SGF: with variations, comments, marks, set-ups and illegal moves."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.words = 0

    def properties(self) -> str:
        """Return the properties of a node except its move."""
        rng = self.rng
        text = ""
        if rng.random() < 0.4:
            self.words += 1
            text += f"C[word{self.words}]"
        if rng.random() < 0.2:
            self.words += 1
            text += rng.choice(["MA", "SL"]) + f"[{self.point()}]GB[word{self.words}]"
        return text + (f"TR[{self.point()}]" if rng.random() < 0.2 else "")

    def point(self) -> str:
        return "".join(self.rng.choices("abcde", k=2))

    def line(self, position: Position, depth: int, is_main: bool) -> str:
        """Return the nodes after a position."""
        rng = self.rng
        text = ""
        for _ in range(rng.randint(1, 5)):
            if rng.random() < 0.15:
                text += f";{self.properties()}C[]"
            if not is_main and rng.random() < 0.1:
                text += f";AB[{self.point()}]{self.properties()}"
            move = rng.choice(position.legal_moves()) if not position.is_over else PASS
            side = "BW"[position.ply % 2] if is_main or rng.random() < 0.95 else rng.choice("BW")
            cell = "" if move == PASS else "abcde"[move % 5] + "abcde"[move // 5]
            try:
                position = position.play(move)
            except IllegalMove:
                return text
            text += f";{side}[{cell}]{self.properties()}"
        if depth and rng.random() < 0.8:
            lines = [self.line(position, depth - 1, is_main and not number) for number in range(rng.randint(2, 3))]
            text += "".join(f"({line or ';'})" for line in lines)
        return text


def test_random_trees_lose_no_word_and_are_written_as_they_are_read(page_modules: PageModules) -> None:
    writers = [Writer(random.Random(seed)) for seed in range(TREES)]
    texts = [f"(;SZ[5]{writer.properties()}{writer.line(START, 3, True)})" for writer in writers]
    first = page_modules.ask("games", texts)
    again = page_modules.ask("games", [game["again"] for (game,) in first])
    for text, (game,), (other,) in zip(texts, first, again, strict=True):
        assert sorted(set(re.findall(r"word\d+", text))) == sorted(set(re.findall(r"word\d+", game["again"]))), text
        assert (other["root"], other["moves"], other["again"]) == (game["root"], game["moves"], game["again"]), text
    assert sum("kept in the SGF" in game["note"] for (game,) in first) > TREES // 4
