"""Boards with prose around them: names, scores, dates, comments in six languages, other boards, chat.

Both in Python and in the page, the position must be the same as without the prose, or there must be an error or a note.
``python -m tools.fuzz prose --attempts 1000`` tries 100,000 texts.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from little_go.arena.gtp.engine import _drawing
from little_go.book.answers.report import heading
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.movetext import moves_text, vertex_name
from little_go.notation.record import link_fragment
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, move_name
from tests.explorer.vectors import NoNode, PageModules, open_modules

#: The number of texts in one attempt.
TEXTS = 100

_NAMES = ("Ann", "Bob", "Jürgen", "Zoë", "Иван", "美咲", "José", "X", "O", "White", "Black", "W. Black", "xobw", "Pass")
_SIDES = (
    "Black",
    "White",
    "X",
    "O",
    "black",
    "WHITE",
    "Schwarz",
    "Weiß",
    "Noir",
    "Blanc",
    "negras",
    "blancas",
    "чёрные",
)

#: Lines of prose. The placeholders {a} and {b} are names, {c} and {d} are sides, {m} is a move, {v} is a vertex, {n}
#: and {k} are numbers, {y} is a date, and {s} is a score.
_LINES = (
    # Lines in English.
    "{c} played {v}, {d} to move",
    "{c} ({a}) against {d} ({b}), {c} to play",
    "{c}: {a}, {d}: {b}. {d} to play",
    "{c} has just played {v}, {d} to play",
    "{c} to move was last week; now it is {d} to move",
    "{c} captured {n} stones, {d} to move",
    "What should {c} do? {a} says {b} wins even after a PASS.",
    "The game is over. Where was my mistake?",
    "The game is over; where was my mistake?",
    "The game is over; komi {k}.5, {s}",
    "the game has ended: who won?",
    "{a} resigned after ply {n} of 24, so {c} won {s}",
    "ply {n} of 24; {a} was in time trouble",
    "Ply {n}: {c} plays {m}, which I do not understand",
    "I had {n} of 24 plies played, {c} to move, when {b} called",
    "Last move: {c} {v}?? or was it {m}",
    "next player: {a}?",
    "Next player is {c}",
    "komi {k}.5, {n} plies",
    "Is it {c}'s turn? {a} thinks so.",
    "{c} has captured {n} stones so far, says {a}",
    "Result: {s}. Date: {y}. Komi: {k}.5",
    "{n}. {m} {k}. {v}",
    "move {n}: {m} ({c})",
    # Lines in German, French, Spanish, Russian and Japanese.
    "{c} am Zug, nach einem PASS von {a}",
    "{a} (Weiß) gegen {b} (Schwarz), Schwarz zieht",
    "Das Spiel ist aus. {s}",
    "Aux {c} de jouer, {d} vient de passer",
    "La partie est finie: {s}, le {y}",
    "Juegan {c}; {d} pasó en la jugada {n}",
    "Ход {c}, {d} спасовали",
    "Игра окончена {y}: {s}",
    "{a}先生の黒番、白は{n}手目でパス",
    "黒の番です。コミ{k}目半",
    # Lines from chats, mails and files.
    "[12:{n}] <{a}> {c} to move",
    "{a}: {d} to play, right?",
    "> {a} wrote on {y}: {c} to move!?",
    "{b} 😀 {v}!!",
    "-- ",
    "https://example.org/go?id={n}#top",
    "*** {a} has left (score {k}:{n})",
    "{y} {n}:{k} 5x5 No. {n}",
    "/* {c} to move */",
    "| {a} | {b} | {s} |",
    "# {c} to move",
    "{n},{k}",
    "a b c d e f g h",
)
#: Lines of known forms. The readers accept a true line, and refuse a line that contradicts the board.
_FORMS = (
    "{c2} to move", "Next player: {c2}", "It is {c2}'s turn.", "ply {n} of 24, {c2} to move", "The game is over.",
    "{n} of 8 plies played, {c2} to move.", "WHITE (O) has captured {k} stones", "MoveNum: {n} HASH: 0A2D",
)  # fmt: skip


class Text(NamedTuple):
    """A board with prose around it.

    alone: the board without the prose. is_plain: whether the prose has no position and is on separate lines. If
    is_plain is false, the readers may find another position, but only with a note.
    """

    text: str
    alone: str
    is_plain: bool


def played(rng: Random) -> tuple[Position, list[int]]:
    """Return a position of an unfinished game, and the moves that lead to it."""
    position, moves = START, list[int]()
    for _ in range(rng.randint(1, 22)):
        legal = [move for move in position.legal_moves() if move != PASS] or [PASS]
        move = PASS if moves and moves[-1] != PASS and rng.random() < 0.08 else rng.choice(legal)
        if position.play(move).is_over:
            break
        position = position.play(move)
        moves.append(move)
    return position, moves


def drawn(rng: Random, position: Position, moves: list[int]) -> tuple[str, bool]:
    """Return a board in the format of a program, and whether the text contains the whole position."""
    style = rng.randrange(9)
    rows = position._replace(ko=None).rows()
    if style == 0:
        return f"{heading(position, COURSE)}\n{position.diagram()}", True
    if style == 1:
        return "\n".join(_drawing(position, COURSE)), not position.passed
    if style == 2:
        return str([[int(digit) for digit in row] for row in rows]), False
    signs_of = str.maketrans("012", rng.choice((".XO", ".#o", "·●○", "_XO", "-xo")))
    signs = [row.translate(signs_of) for row in rows]
    blank = rng.choice(("", " ")) if style > 4 else " "
    lines = [blank.join(row) for row in signs]
    edge = "   A B C D E"
    if style == 3:
        last = "PASS" if moves[-1] == PASS else vertex_name(moves[-1])
        side = ("Black", "White")[(len(moves) - 1) % 2]
        lines = [
            f"{edge}        Last move: {side} {last}",
            *(f" {5 - at} {row} {5 - at}" for at, row in enumerate(lines)),
            edge,
        ]
    elif style == 4:
        head = f"MoveNum: {position.ply} HASH: {rng.randrange(1 << 60):016X}"
        turn = f"Next player: {('Black', 'White')[position.ply % 2]}"
        lines = [head, edge, *(f" {5 - at} {row}" for at, row in enumerate(lines)), turn]
    elif style == 5:
        lines = [f"$$ | {' '.join(row)} |" for row in signs]
        lines = [f"$${'BW'[position.ply % 2]}", *lines]
    elif style == 6:
        lines = [f"> {line}" for line in lines]
    return "\n".join(lines), False


def line_of(rng: Random, forms: tuple[str, ...] = _LINES) -> str:
    """Return a line of prose."""
    stone = rng.randrange(25)
    return rng.choice(forms).format(
        a=rng.choice(_NAMES), b=rng.choice(_NAMES), c=rng.choice(_SIDES), d=rng.choice(_SIDES), m=move_name(stone),
        v=vertex_name(stone), n=rng.randint(0, 24), k=rng.randint(0, 9), c2=rng.choice(("Black", "White")),
        y=f"{rng.randint(1999, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
        s=rng.choice(("B+0.5", "W+3.5", "W+R", "3:2", "½-½")),
    )  # fmt: skip


def rival(rng: Random) -> str:
    """Return lines with another position, or with a board of another size."""
    position, moves = played(rng)
    return rng.choice(
        (
            moves_text(moves, 0),
            f"explorer.html#{link_fragment(position, COURSE)}",
            "\n".join("".join(rng.choices(".XO", k=9)) for _ in range(9)),
            "\n".join(" ".join(rng.choices(".XO", k=3)) for _ in range(3)),
            position.diagram(),
            f"(;SZ[5];B[{'abcde'[rng.randrange(5)]}a])",
            "\n".join(f"play {'BW'[at % 2]} {vertex_name(move)}" for at, move in enumerate(moves)),
            f'{{"moves": "{move_name(moves[0])}"}}',
        )
    )


def write_text(rng: Random) -> Text:
    """Return a board with prose around it."""
    position, moves = played(rng)
    board, is_whole = drawn(rng, position, moves)
    before, after = ([line_of(rng) for _ in range(rng.randint(0, 4))] for _ in range(2))
    is_plain = rng.random() < 0.85
    if not is_plain:
        rng.choice((before, after)).append(rival(rng))
    if is_whole and rng.random() < 0.3:
        rng.choice((before, after)).append(line_of(rng, _FORMS))
    for lines in (before, after):
        rng.shuffle(lines)
    glue = "\n" if rng.random() < 0.95 else " "
    end = rng.choice(("\n", "\n", "\r\n"))
    text = glue.join(["\n".join(before), board, "\n".join(after)]).strip("\n").replace("\n", end)
    return Text(text, board, is_plain and glue == "\n")


#: A position, or the word of a fault, and the skipped parts of the text.
Found: TypeAlias = "tuple[str | Position, tuple[str, ...]]"


def read_by_python(text: str) -> Found:
    """Return the position of a text, or its fault, and the skipped parts, as Python reads the text."""
    try:
        placed = read(text, COURSE)
    except NotationError as error:
        return error.fault, ()
    assert "".join(part.text for part in placed.parts) == text, text
    return placed.position, placed.left_out


def read_by_page(modules: PageModules, texts: list[str]) -> list[Found]:
    """Return the positions, or faults, and the skipped parts of texts, as the page reads the texts."""
    answers: list[dict[str, Any]] = modules.ask("readers", [text.encode().hex() for text in texts])
    return [
        (answer["fault"], ()) if answer["fault"] else (Position(**answer["position"]), tuple(answer["left"]))
        for answer in answers
    ]


def outcome(text: Text, found: str | Position, left: tuple[str, ...]) -> str:
    """Return the outcome of reading a text. Raise AssertionError for a wrong position without a note."""
    if isinstance(found, str):
        return "refused"
    if found == read_by_python(text.alone)[0]:
        return "as without the prose"
    assert left, text
    assert not text.is_plain, text
    return "another, with a note"


def prose(rng: Random, folder: Path) -> str:
    """Read 100 boards with prose.

    Check that each text results in the right position, an error or a note, and that Python and the page agree.
    """
    texts = [write_text(rng) for _ in range(TEXTS)]
    found = [read_by_python(text.text) for text in texts]
    counts = Counter(outcome(text, *each) for text, each in zip(texts, found, strict=True))
    has_page = True
    try:
        with open_modules() as modules:
            by_page = read_by_page(modules, [text.text for text in texts])
        assert [each for each in zip(texts, found, by_page, strict=True) if each[1] != each[2]] == []
    except NoNode:
        has_page = False
    # Most lines of this prose mention a side or a ply in an unknown form, so the text is refused.
    assert counts["as without the prose"], counts
    return f"read{'' if has_page else ', without the page'}"
