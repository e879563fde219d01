"""The report's numbers, read from the shipped files and the documents' tables when it is built."""

import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from little_go.book.files.atlas import Row, read_atlas, summary
from little_go.book.files.games import LoggedGame, read_games
from little_go.book.files.puzzles import Puzzle, read_puzzles
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import MAIN_LINE, MAIN_VALUE
from little_go.book.files.values import Values, read_values
from little_go.runtime.release import version
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import canonical_key
from little_go.solver.position import CENTRE, GAME_PLIES, START, Position, move_name, parse_move, play_all
from little_go.solver.symmetry import key_of
from report.figures import all_figures, check

Record = dict[str, Any]

#: The number of the hardest puzzles in the report, and the number of plies between two boards of the main line.
HARDEST, STEP = 4, 4


class ReportError(Exception):
    """Raised if sources are missing or contradict each other. The message is one line."""


class Atlas:
    """The rows of the atlas, by position."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)
        self._rows = {key_of(row.position): row for row in self.rows}

    def row(self, position: Position) -> Row:
        """Return the row of a position in any orientation. Raise ReportError if the atlas has no such row."""
        if position.is_over:
            return Row(position, position.margin, position.margin)
        found = self._rows.get(canonical_key(position))
        if found is None:
            raise ReportError(f"the atlas has no line for {position}")
        return found

    def winner(self, position: Position) -> int:
        """Return the winner, 1 for Black and 2 for White. Raise ReportError if the winner is unknown."""
        row = self.row(position)
        if row.lo < BLACK_WINS <= row.hi:
            raise ReportError(f"the atlas does not contain the winner of {position}")
        return 1 if row.lo >= BLACK_WINS else 2

    def holding(self, position: Position) -> list[int]:
        """Return the mover's winning moves."""
        return [move for move in position.legal_moves() if self.winner(position.play(move)) == position.mover]


def gather(root: Path) -> Record:
    """Return all numbers of the report, as JSON values.

    root: a clone, or a folder with the files that the report reads. Raise ReportError if the files contradict each
    other.
    """
    atlas = Atlas(read_atlas(root / "data" / "atlas.csv.gz"))
    games = read_games(root / "data" / "staff_games.jsonl.gz")
    solution = root / "docs" / "explanation" / "SOLUTION.md"
    return {
        "version": version(),
        "sha256": sha256((root / "data" / "atlas.csv.gz").read_bytes()).hexdigest(),
        "colours": colours((root / "explorer" / "page" / "style.css").read_text("utf-8")),
        "value": atlas.row(START).lo,
        "first": [_move_record(atlas, START, move) for move in START.legal_moves()],
        "openings": openings(atlas, games),
        "replies": (found := replies(atlas)),
        "trap": trap(atlas, found),
        "plies": plies(atlas, read_values(root / "data" / "atlas.values")),
        "line": main_line(),
        "students": students(atlas, games),
        "puzzles": puzzles(read_puzzles(root / "data" / "puzzles.csv")),
        "certificates": certificates(root),
        "checker": sum(_lines(root / "proof" / "checker" / name) for name in ("rules.py", "search.py")),
        "theorem": theorem(root),
        "book": book(root),
        "whom": table(solution, "claim", "proved by"),
        "walked": table(solution, "colour"),
        "bench": table(solution, "plies played"),
        "order": table(root / "docs" / "DECISIONS.md", "step", "bench", "games"),
        "scaling": table(root / "docs" / "guides" / "SCALING.md", "workers"),
        "family": family(root / "data" / "family.csv"),
        "measured": measured(root),
    }


def colours(style: str) -> dict[str, str]:
    """Return the colours of the explorer's light theme, by name."""
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", style.partition("@media")[0]))
    return {name: found[name] for name in ("black-wins", "white-wins", "blue-wash", "orange-wash", "board", "line")}


def family(path: Path) -> list[Record]:
    """Return the results for games of all lengths from ``data/family.csv``."""
    with path.open(encoding="ascii", newline="") as text:
        return [
            {**row, "plies": int(row["plies"]), "value": int(row["value"]), "nodes": int(row["nodes"])}
            for row in csv.DictReader(text)
        ]


def _move_record(atlas: Atlas, position: Position, move: int) -> Record:
    after = position.play(move)
    return {"move": move_name(move), "value": atlas.row(after).lo, "winner": atlas.winner(after)}


def openings(atlas: Atlas, games: list[LoggedGame]) -> list[Record]:
    """Return the first moves, from best to worst, but only one move of each class of symmetric moves.

    ``students``: the number of different logged games in which a student's program began with the move.
    """
    played = Counter(
        canonical_key(START.play(parse_move(game.moves[0]))) for game in distinct(games) if game.colour == 2
    )
    kinds: dict[int, list[int]] = {}
    for move in START.legal_moves():
        kinds.setdefault(canonical_key(START.play(move)), []).append(move)
    records = [
        {**_move_record(atlas, START, moves[0]), "alike": len(moves), "students": played[key]}
        for key, moves in kinds.items()
    ]
    return sorted(records, key=lambda record: -record["value"])


def replies(atlas: Atlas) -> list[Record]:
    """Return White's replies to the centre, each with Black's winning answers and the number of all answers."""
    after = START.play(CENTRE)
    return [
        {
            **_move_record(atlas, after, move),
            "holding": [move_name(each) for each in atlas.holding(after.play(move))],
            "answers": len(after.play(move).legal_moves()),
        }
        for move in after.legal_moves()
    ]


def trap(atlas: Atlas, found: list[Record]) -> Record:
    """Return White's reply after which the fewest of Black's answers win, with the values of all answers."""
    reply = min(found, key=lambda record: len(record["holding"]))
    after = START.play(CENTRE).play(parse_move(reply["move"]))
    return {**reply, **board(after), "worth": [_move_record(atlas, after, move) for move in after.legal_moves()]}


def plies(atlas: Atlas, values: Values) -> list[Record]:
    """Return a summary of each ply, with the cost of its search and the number of moves that keep a win.

    ``median``, ``most``: the nodes of the search for the median exact position, and for the most expensive one,
    ``costliest``. ``holding``, ``moves``: the numbers of winning moves and of all moves in the positions that the mover
    wins. A field is None if its value is not known.
    """
    return [
        {
            **record,
            "values": {str(value): count for value, count in record["values"].items()},
            **_costs([row for row in atlas.rows if row.position.ply == record["ply"]]),
            **_wins(atlas, record["ply"]),
        }
        for record in summary(values.bounds())
    ]


def _costs(rows: list[Row]) -> Record:
    searched = sorted((row for row in rows if row.lo == row.hi and row.nodes), key=lambda row: row.nodes)
    if not searched:
        return {"median": None, "most": None, "costliest": None}
    costliest = searched[-1]
    return {
        "median": searched[len(searched) // 2].nodes,
        "most": costliest.nodes,
        "costliest": board(costliest.position) | {"value": costliest.lo},
    }


def _wins(atlas: Atlas, ply: int) -> Record:
    if ply >= atlas.rows[-1].position.ply:
        return {"holding": None, "moves": None}
    positions = [row.position for row in atlas.rows if row.position.ply == ply]
    won = [position for position in positions if atlas.winner(position) == position.mover]
    return {
        "holding": sum(len(atlas.holding(position)) for position in won),
        "moves": sum(len(position.legal_moves()) for position in won),
    }


def board(position: Position) -> Record:
    """Return a position's five rows of digits (1 is Black, 2 is White), its ply and its mover."""
    return {"rows": position.rows(), "ply": position.ply, "mover": position.mover}


def main_line() -> Record:
    """Return the principal variation, with a board after every STEP plies."""
    after = [board(play_all(START, MAIN_LINE[:ply])) for ply in range(STEP, GAME_PLIES + 1, STEP)]
    end = play_all(START, MAIN_LINE)
    stones = {"black": end.black.bit_count(), "white": end.white.bit_count()}
    return {"moves": list(map(move_name, MAIN_LINE)), "boards": after, "value": MAIN_VALUE, **stones}


def distinct(games: Iterable[LoggedGame]) -> list[LoggedGame]:
    """Return the games that have moves, but only one of equal games, because some agents always play the same game."""
    return list({(game.agent, game.colour, game.moves): game for game in games if game.moves}.values())


def students(atlas: Atlas, games: list[LoggedGame]) -> Record:
    """Return the students' results in won positions, at all plies of the atlas except the last.

    For each ply, ``won`` is the number of different games in which the program to move had a won position, and
    ``thrown`` is the number of these games in which its move gave up the win.
    """
    last, different = atlas.rows[-1].position.ply, distinct(games)
    won, thrown = Counter[int](), Counter[int]()
    for game in different:
        for position, move in game.steps():
            if position.ply >= last:
                break
            if position.mover != game.colour and atlas.winner(position) == position.mover:
                won[position.ply] += 1
                thrown[position.ply] += atlas.winner(position.play(move)) != position.mover
    by_ply = [{"ply": ply, "won": won[ply], "thrown": thrown[ply]} for ply in sorted(won)]
    return {"games": len(games), "distinct": len(different), "plies": by_ply}


def captures(position: Position, move: int) -> bool:
    """Return whether a move captures stones."""
    after = position.play(move)
    before = position.white if position.black_to_move else position.black
    return (after.white if position.black_to_move else after.black) != before


def puzzles(found: list[Puzzle]) -> Record:
    """Return how often the rule "capture if you can" is right in the puzzles, and the hardest puzzles.

    ``could``: the number of puzzles in which a move captures stones. ``should``: the number of these puzzles whose
    answer captures stones. ``lured``: the number of the remaining puzzles whose most likely mistake captures stones.
    """
    could = [each for each in found if any(captures(each.position, move) for move in each.position.legal_moves())]
    should = [each for each in could if captures(each.position, each.solution[0])]
    lured = [each for each in could if each not in should and captures(each.position, each.tempting)]
    hardest = [
        {
            **board(each.position),
            "number": len(found) - back,
            "answers": list(map(move_name, each.answers)),
            "tempting": move_name(each.tempting),
            "wrong": round(100 * each.wrong, 1),
        }
        for back, each in enumerate(found[: -HARDEST - 1 : -1])
    ]
    themes = Counter(theme for each in found for theme in each.themes)
    counts = {"could": len(could), "should": len(should), "lured": len(lured)}
    return {"count": len(found), **counts, "passes": themes["pass"], "themes": themes, "hardest": hardest}


def certificates(root: Path) -> list[Record]:
    """Return the claims and sizes of the shipped certificates, with the cost of checking from SOLUTION.md."""
    described = {
        row["certificate"].strip("`"): row
        for row in table(root / "docs" / "explanation" / "SOLUTION.md", "certificate")
    }
    found = [_certificate(path, described) for path in (root / "proof" / "certificates").rglob("*.cert.gz")]
    return sorted(found, key=lambda record: list(described).index(record["name"]))


def _certificate(path: Path, described: dict[str, dict[str, str]]) -> Record:
    name = path.name.partition(".")[0]
    text = gzip.decompress(path.read_bytes()).decode("ascii")
    claim, leaf, lines = (re.search(f"^{word} (.+)$", text, re.MULTILINE)[1] for word in ("claim", "leaf", "lines"))  # type: ignore[index]
    leaves = len(re.findall(rf"^{leaf} ", text, re.MULTILINE))
    sizes = {"leaf": int(leaf), "lines": int(lines), "leaves": leaves, "bytes": path.stat().st_size}
    right = f"{int(lines):,}, {leaves:,}"
    if name not in described or described[name]["lines, of them leaves"] != right:
        raise ReportError(f"docs/explanation/SOLUTION.md: the row of {name} does not have {right} lines and leaves")
    row = described[name]
    cost = {"positions": row["positions searched"], "cpu": row["CPU"]}
    return {"name": name, "claim": claim, "says": row["says"], **sizes, **cost}


def book(root: Path) -> Record:
    """Return the sizes of book.json, which SOLUTION.md must contain too, and the book's reply to the centre."""
    path = root / "book.json"
    found = read_book(str(path), game=COURSE)
    positions, size = len(found), path.stat().st_size
    _require_sentence(root, "docs/explanation/SOLUTION.md", f"{positions:,} positions, {size / 1000:.0f} kB")
    return {"positions": positions, "bytes": size, "reply": move_name(found.find(START.play(CENTRE)).move)}


def theorem(root: Path) -> Record:
    """Return the statements that Coq has proved, the certificate of each theorem, and the tests of the rules."""
    document = root / "docs" / "explanation" / "THEOREM.md"
    text = document.read_text("utf-8")
    return {
        "statements": re.findall(r"^```coq\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE),
        "checked": table(document, "certificate", "theorem"),
        "tried": [row[""] for row in table(document, "", "run")],
        "rules": _lines(root / "lab" / "theorem" / "coq" / "Rules.v"),
        "version": re.search(r"Coq (\d[\d.]*\d)", text)[1],  # type: ignore[index]
    }


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def table(document: Path, *heads: str) -> list[dict[str, str]]:
    """Return the rows of a document's table, by column. Raise ReportError if the document has no such table.

    heads: the names of the first columns.
    """
    lines = iter(document.read_text("utf-8").splitlines())
    for line in lines:
        names = _cells(line) if line.startswith("|") else []
        if names[: len(heads)] == list(heads):
            next(lines)
            return [dict(zip(names, cells, strict=True)) for cells in _rows(lines)]
    raise ReportError(f"{_path(document)} has no table of {' | '.join(heads)}")


def _path(document: Path) -> str:
    parts = document.parts
    return "/".join(parts[parts.index("docs", -3) :])


def _rows(lines: Iterator[str]) -> Iterator[list[str]]:
    for line in lines:
        if not line.startswith("|"):
            return
        yield _cells(line)


def _cells(line: str) -> list[str]:
    return [re.sub(r"\[(.*?)\]\(.*?\)", r"\1", cell).strip() for cell in line.strip().strip("|").split("|")]


def measured(root: Path) -> Record:
    """Return the figures of measured.toml and derived.toml. Raise FigureError if a document has a different figure."""
    figures = all_figures(root)
    check(root, figures)
    return figures


def find_sentence(text: str, words: str) -> re.Match[str] | None:
    """Return the match of a phrase in a text, or None. Line breaks between words are ignored."""
    return re.search(r"\s+".join(map(re.escape, words.split())), text)


def _require_sentence(root: Path, document: str, words: str) -> None:
    """Raise ReportError if a document does not contain a phrase."""
    if find_sentence((root / document).read_text("utf-8"), words) is None:
        raise ReportError(f"{document} does not contain: {words}")
