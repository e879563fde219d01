"""Vectors made from a seed: random games, written in all forms, some of them damaged.

The expected result of a vector is from the game, and not from a reader. ``python -m tests.notation.generated`` writes
the file.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from little_go.solver.position import GAME_PLIES, PASS, START, Position, move_name
from little_go.solver.symmetry import key_of

FILE = Path(__file__).with_name("generated.jsonl")
SEED, GAMES = 5, 36

LETTERS, SGF = "ABCDE", "abcde"


def played(rng: random.Random) -> list[Position]:
    """Return the positions of an unfinished game."""
    way = [START]
    plies = rng.randint(1, GAME_PLIES - 2)
    while way[-1].ply < plies:
        stones = way[-1].legal_moves()[:-1]
        move = (
            PASS if not stones or (way[-1].ply and not way[-1].passed and rng.random() < 0.08) else rng.choice(stones)
        )
        way.append(way[-1].play(move))
    return way if way[-1].ply == plies else played(rng)


def moves_of(way: list[Position]) -> list[int]:
    """Return the moves between positions."""
    return [next(m for m in a.legal_moves() if a.play(m) == b) for a, b in pairwise(way)]


def vertex(move: int) -> str:
    """Return a move as a GTP vertex."""
    return "pass" if move == PASS else f"{LETTERS[move % 5]}{5 - move // 5}"


def low_vertex(move: int) -> str:
    """Return a GTP vertex in lower case."""
    return vertex(move).lower()


def least(position: Position, mover: int | None) -> int | None:
    """Return the least possible ply, found by trying all plies; None if the game is over at this ply."""
    for ply in range(GAME_PLIES):
        black, white = (ply + 1) // 2, ply // 2
        if position.passed:
            black, white = black - ply % 2, white - (1 - ply % 2)
        fits = position.black.bit_count() <= black and position.white.bit_count() <= white
        if fits and mover in (None, 1 + ply % 2) and (ply or not position.passed):
            return ply
    return None


def expected(position: Position) -> dict[str, Any]:
    """Return the keys of a vector's expected result."""
    board = "/".join("".join(".XO"[int(digit)] for digit in row) for row in position.rows())
    ko = None if position.ko is None else move_name(position.ko)
    return {"board": board, "at": position.ply, "ko": ko, "passed": position.passed}


def guessed(position: Position, mover: int | None) -> dict[str, Any]:
    """Return the expected result if the ply is not given."""
    ply = least(position, mover)
    return {"error": "unreachable"} if ply is None else expected(position._replace(ply=ply))


def as_moves(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a line of moves in a random spelling, and a damaged one."""
    moves = moves_of(way)
    mark, name = rng.choice(["XO", "BW", "bw"]), rng.choice([move_name, vertex, low_vertex])
    words = [name(move) for move in moves]
    style = rng.randrange(7)
    text = [
        " ".join(words),
        ", ".join(words),
        "  ".join(f"{mark[ply % 2]} {word}" for ply, word in enumerate(words)),
        " ".join(f"{ply}. {word}" for ply, word in enumerate(words, 1)),
        "\r\n".join(words) + "\r\n",
        json.dumps([move_name(m) if m == PASS or rng.random() < 0.5 else [m // 5, m % 5] for m in moves]),
        ", ".join(f"({m // 5}, {m % 5})" if m != PASS else "'PASS'" for m in moves),
    ][style]
    yield text, expected(way[-1])
    stones = way[-1].black | way[-1].white
    taken = [point for point in range(25) if stones >> point & 1]
    if taken:
        yield f"{' '.join(words)} {move_name(rng.choice(taken))}", {"error": "illegal"}
    yield f"{' '.join(words)} {rng.choice(['5,0', '0,9', 'F3', 'A7', 'c0'])}", {"error": "off-board"}
    yield f"{' '.join(words)} {rng.choice(['7', 'resign', '2;2', '?', 'cc'])}", {"error": "not-a-move"}


def as_board(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a drawn board, with the ply and without it."""
    position = way[-1]._replace(ko=None, passed=False)
    signs = str.maketrans("012", rng.choice([".XO", ".xo", ".#O", "·●○", "012"]))
    rows = [row.translate(signs) for row in position.rows()]
    style = rng.randrange(4)
    if style == 1:
        rows = [" ".join(row) for row in rows]
    if style == 2 and rows[0][0] not in "012":
        rows = ["  0 1 2 3 4", *(f"{i} {' '.join(row)}" for i, row in enumerate(rows))]
    if style == 3 and rows[0][0] not in "012":
        edge = "   A B C D E"
        rows = [edge, *(f" {5 - i} {' '.join(row)} {5 - i}" for i, row in enumerate(rows)), edge]
    yield rng.choice(["\n", "\r\n", "\n\n"]).join(rows), guessed(position, None)
    mover = ("Black (X)", "White (O)")[position.ply % 2]
    told = f"{way[-1].ply} of 24 plies played, {mover} to move{', after a PASS' * way[-1].passed}.\n"
    yield told + way[-1].diagram(), expected(way[-1])
    yield "\n".join(rows[:-1] if style in (0, 1) else rows[:-2]), {"error": "damaged"}


def as_input(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an input.txt in the forms of hosts and editors, and a damaged one."""
    before, now = way[-2], way[-1]
    lines = [str(now.mover), *before.rows(), *now.rows()]
    end = rng.choice(["\n", "\r\n", "\r", " \n", "\n\n"])
    text = rng.choice(["", "\ufeff", "\n"]) + end.join(lines) + rng.choice(["", end, f"{end}7{end}"])
    yield text, guessed(now, now.mover)
    broken = list(lines)
    row, fault = rng.choice([("0000", "not-5x5"), ("0x000", "damaged"), ("3", "damaged"), ("000000", "not-5x5")])
    broken[rng.randrange(1, 11)] = row
    yield "\n".join(broken), {"error": fault}
    wrong = {"error": "wrong-colour"} if before[:2] != now[:2] else guessed(now, 3 - now.mover)
    yield "\n".join([str(3 - now.mover), *lines[1:]]), wrong


def as_sgf(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a game in SGF, a game with a set-up, and damaged games."""
    names = rng.choice(["SZ GM B W", "sz gm b w", "SiZe GaMe Black White", "Size Game B W"]).split()
    cells = [rng.choice(["", "tt"]) if m == PASS else SGF[m % 5] + SGF[m // 5] for m in moves_of(way)]
    nodes = [f";{names[2 + ply % 2]}[{cell}]" for ply, cell in enumerate(cells)]
    size = rng.choice([f"{names[0]}[5]", f"{names[0]}[5:5]", ""])
    komi = rng.choice(["", "KM[2.5]", "KM[]", "KM[x]", "KM[6.5]"])
    at = rng.randrange(len(nodes))
    nodes[at] += rng.choice(["", "C[a \\] b;W[aa\\](]", "\n", "LB[aa:1]"])
    aside = f"(;{'BW'[len(nodes) % 2]}[])" if rng.random() < 0.3 else ""
    main = f"({''.join(nodes[-1:])}){aside}" if aside else nodes[-1]
    yield f"(;{names[1]}[1]{size}{komi}{''.join(nodes[:-1])}{main})", expected(way[-1])
    position = way[-1]._replace(ko=None, passed=False)
    stones = [
        "".join(f"[{SGF[p % 5]}{SGF[p // 5]}]" for p in range(25) if mask >> p & 1)
        for mask in (position.black, position.white)
    ]
    added = "".join(f"A{colour}{points}" for colour, points in zip("BW", stones, strict=True) if points)
    told = guessed(position, position.mover)
    if added:
        yield f"(;SZ[5]{rng.choice(['', ';'])}{added}PL[{'BW'[position.ply % 2]}])", told
    if at:
        yield f"(;SZ[5]{''.join(nodes[:at])};{'WB'[at % 2]}[aa])".replace("Black", "B"), {"error": "wrong-colour"}
    yield f"(;SZ[{rng.choice([4, 9, 19])}]{''.join(nodes)})", {"error": "not-5x5"}


def as_json(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a JSON object with stones or moves, and one with a missing key."""
    record = way[-1]._asdict()
    yield json.dumps(record | rng.choice([{}, {"value": 3, "moves": {"2,2": {"lo": 3}}}])), expected(way[-1])
    yield json.dumps({"black": "a", "white": "b", "moves": [move_name(m) for m in moves_of(way)]}), expected(way[-1])
    del record[rng.choice(["black", "white"])]
    yield json.dumps(record), {"error": "damaged"}


def as_key(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a key."""
    key = key_of(way[-1])
    yield (str(key) if rng.random() < 0.5 else hex(key)), expected(way[-1])


def as_link(rng: random.Random, way: list[Position]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield links to a line and to a position."""
    names = [move_name(move) for move in moves_of(way)]
    page = rng.choice(["explorer.html", "https://example.org/a/explorer.html", "See (explorer.html"])
    after = rng.choice(["", ".", ")"]) if page.startswith("See") else ""
    at = rng.randint(0, len(names))
    yield f"{page}#moves={'.'.join(names)}&at={at}{after}", expected(way[at])
    yield f"{page}#moves={'.'.join(names)}&at={len(names) + 1}{after}", {"error": "damaged"}
    board = "".join("_XO"[int(digit)] for row in way[-1].rows() for digit in row)
    ko = "-" if way[-1].ko is None else way[-1].ko
    yield f"{page}#from={board}.{way[-1].ply}.{ko}.{'P' if way[-1].passed else '-'}", expected(way[-1])


FORMS: dict[str, Callable[[random.Random, list[Position]], Iterator[tuple[str, dict[str, Any]]]]] = {
    "moves": as_moves,
    "board": as_board,
    "input": as_input,
    "sgf": as_sgf,
    "json": as_json,
    "key": as_key,
    "link": as_link,
}


def vectors() -> Iterator[dict[str, Any]]:
    """Yield the vectors of the seed."""
    rng = random.Random(SEED)
    for number in range(GAMES):
        way = played(rng)
        for form, write in FORMS.items():
            for which, (text, told) in enumerate(write(rng, way)):
                if which == 0 or rng.random() < 0.35:
                    yield {"id": f"{form}-{number}-{which}", "form": form, "input": text, **told}


def text() -> str:
    """Return the file's text."""
    return "".join(json.dumps(vector, ensure_ascii=False) + "\n" for vector in vectors())


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
