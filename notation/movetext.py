"""Moves in text: one, a list, or the commands to a Go program."""

import re
from collections.abc import Iterable, Iterator

from notation.faults import NotationError, place_in, shown
from notation.parsed import ParsedPosition, left_out, parts_of, stated_game
from solver.family import COURSE, Variant
from solver.position import PASS, SIZE, IllegalMove, Position, move_name

#: GTP names columns with letters, and leaves out I.
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

#: JavaScript's blanks; all else is ASCII, so that the page reads the same.
_S = "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_BREAK = rf"{_S},;()\[\]\"'"

_TOKEN = re.compile(
    rf"""
    (?P<blank> [{_BREAK}]+ )
  | (?P<row> [+-]?[0-9]{{1,9}} ) [{_S}]*,[{_S}]* (?P<column> [+-]?[0-9]{{1,9}} ) (?![0-9])
  | (?P<number> [0-9]{{1,3}} ) (?: [.)]+ (?=[^0-9]|[0-9][{_S}]*,) | [{_S}]+ (?=[0-9][{_S}]*,[{_S}]*[0-9]) )
  | (?P<colour> black | white | [xobw] ) (?: (?!\w) :? | (?=[0-9],[0-9](?!\w|[{_S}]*,)) )
  | (?P<stop> pass | tt ) (?!\w)
  | (?P<letter> [a-hj-z] ) (?P<height> [0-9]{{1,2}} ) (?= [a-hj-z][0-9] | (?!\w) )
  | (?P<bare> [0-9]+ ) (?!\w)
  | (?P<other> [^{_BREAK}]+ )
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

#: Our text before a line of moves: a command's option, or a label such as "Better:".
_OPTION = re.compile(rf"--moves(?:=|[{_S}]+)(?:\"([^\"]*)\"|'([^']*)'|(.*))", re.DOTALL)
_LABEL = re.compile(rf"[{_S}]*(?!(?:black|white|[xobw])[{_S}]*:)([a-z][a-z ]{{0,30}}):", re.IGNORECASE | re.ASCII)
#: Our labels, commands and options; any others are left out.
_LABELS = re.compile(r"Better|Instead|The answer|Best line|Line|Moves", re.IGNORECASE | re.ASCII)
_COMMAND = re.compile(rf"[{_S}]*(?:\$[{_S}]*)?little-go (?:query|review)[{_S}]+")
_GAME_OPTION = re.compile(rf"--(plies|komi)(?:=|[{_S}]+)(-?[0-9]{{1,3}}(?:\.[0-9]{{1,2}})?)(?![^{_S}])")

_PAIR = re.compile(r"\s*([0-9]+)\s+([0-9]+)\s*")
_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)", re.IGNORECASE)

_WANTED = f"want i,j from 0,0 to {SIZE - 1},{SIZE - 1}, a vertex such as C3, or PASS"


def read_moves(text: str) -> list[int]:
    """Return the moves in a text, the first one Black's; legal or not.

    Moves are ``2,2``, ``(2, 2)``, ``C3`` or ``PASS``, with or without the sides' marks, numbers, brackets, commas and
    quotes around them. Raises NotationError, also for other words before or behind them.

    >>> read_moves("2,2 pass") == read_moves("1. C3 2. pass") == read_moves("Better: X 2,2  O PASS")
    True
    """
    _, taken = _surroundings(text, COURSE)
    if left := left_out(parts_of(text, taken)):
        raise NotationError("damaged", f"{shown(left[0])} is left over: {_WANTED}")
    return [move for move, _ in _scan(text)]


def after_moves(
    text: str, start: Position | None = None, ply: int | None = None, *, game: Variant | None
) -> ParsedPosition:
    """Return the position after moves from the game's start or another one, and those before it.

    ply: where to stop, as the game counts; later moves may be illegal. Raises NotationError.
    game: None for the one that a command's options name, or else the course's.

    >>> after_moves("2,2 1,1 Pass", game=COURSE).position.ply
    3
    """
    game, taken = _surroundings(text, game)
    way, number = [game.start if start is None else start], 0
    first = way[0].ply - game.first_ply
    for number, (move, offset) in enumerate(_scan(text, first), 1):
        if ply is not None and first + len(way) > ply:
            continue
        try:
            way.append(way[-1].play(move))
        except IllegalMove as error:
            line, column = place_in(text, offset)
            raise illegal(way[-1], f"move {number}: {error}", line, column) from None
    check_ply(ply, first, first + number)
    return ParsedPosition(way[-1], game, tuple(way[:-1]), parts=parts_of(text, taken))


def check_ply(ply: int | None, first: int, last: int) -> None:
    """Raise NotationError for a ply that a line does not have; None is any."""
    if ply is not None and not first <= ply <= last:
        raise NotationError("damaged", f"the line has plies {first} to {last}, and not {ply}")


def illegal(
    position: Position, message: str, line: int | None = None, column: int | None = None, part: str | None = None
) -> NotationError:
    """Return the error for an illegal move; message: the move, and the reason."""
    return NotationError("too-long" if position.is_over else "illegal", message, line, column, part)


def read_move(text: str) -> int:
    """Return the one move in a text; blanks may separate row and column. Raises NotationError.

    >>> [read_move(text) for text in ("2,3", "2 3", "d3", "pass")]
    [13, 13, 13, 25]
    """
    moves = read_moves(_PAIR.sub(r"\1,\2", text) if _PAIR.fullmatch(text) else text)
    if len(moves) != 1:
        raise NotationError(
            "not-a-move", f"{len(moves)} moves in {shown(text)}: {_WANTED.replace('want', 'want one,')}"
        )
    return moves[0]


def _scan(text: str, ply: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the moves in a text, each with its offset; raises NotationError at the first other word.

    ply: plies played before the first one.
    """
    at, end = _inner(text)
    count, mark = ply, None
    while at < end:
        token = _TOKEN.match(text, at, end)
        assert token is not None, "every sign is a blank or begins something else"
        kind = token.lastgroup
        if kind == "colour":
            mark = token["colour"]
            if mark[0].lower() not in ("xb", "ow")[count % 2]:
                name = ("Black", "White")[count % 2]
                raise NotationError(
                    "wrong-colour", f"{shown(mark)} before move {count + 1}, which is {name}'s", *place_in(text, at)
                )
        elif kind == "number":
            if int(token["number"]) not in (count + 1, count // 2 + 1):
                wanted = f"number {token['number']} before move {count + 1}: moves are missing"
                raise NotationError("damaged", wanted, *place_in(text, at))
        elif kind != "blank":
            yield _point(token), at
            count, mark = count + 1, None
        at = token.end()
    if mark is not None:
        raise NotationError("not-a-move", f"{shown(mark)} and no move behind it: {_WANTED}", *place_in(text, end))


def _inner(text: str) -> tuple[int, int]:
    """Return where the moves begin and end in a text, behind our words before them."""
    if option := _OPTION.search(text):
        return option.span(option.lastindex or 0)
    label = _LABEL.match(text)
    return (label.end() if label else 1 if text.startswith("\ufeff") else 0), len(text)


def _surroundings(text: str, asked: Variant | None) -> tuple[Variant, list[tuple[int, int]]]:
    """Return the game of the moves in a text, and the places of the moves and of our words around them.

    Raises NotationError for another game than the one asked about.
    """
    begin, end = _inner(text)
    option = _OPTION.search(text)
    if option is None:
        label = _LABEL.match(text)
        known = label is not None and _LABELS.fullmatch(label[1].strip())
        return asked or COURSE, [(0 if known else begin, end)]
    taken = [option.span()]
    if command := _COMMAND.fullmatch(text, 0, option.start()):
        taken.insert(0, command.span())
    named: dict[str, float] = {}
    for found in _GAME_OPTION.finditer(text, option.end()):
        if named.setdefault(found[1], float(found[2])) != float(found[2]):
            raise NotationError("ambiguous", f"--{found[1]} is there twice")
        taken.append(found.span())
    if not named:
        return asked or COURSE, taken
    return stated_game(int(named.get("plies", COURSE.plies)), named.get("komi", COURSE.komi), asked), taken


def _point(token: "re.Match[str]") -> int:
    if token["stop"]:
        return PASS
    if token["row"]:
        row, column = int(token["row"]), int(token["column"])
    elif token["letter"]:
        row, column = SIZE - int(token["height"]), _COLUMNS.find(token["letter"].upper())
    else:
        what = "alone is no point" if token["bare"] else "is no move"
        raise NotationError(
            "not-a-move", f"{shown(token[0])} {what}: {_WANTED}", *place_in(token.string, token.start())
        )
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        wanted = f"{shown(token[0])} is off the board: {_WANTED}"
        raise NotationError("off-board", wanted, *place_in(token.string, token.start()))
    return SIZE * row + column


def moves_text(moves: Iterable[int], ply: int) -> str:
    """Return a line of moves, each with its side's mark; ``ply``: played before the first.

    >>> moves_text([12, 6, 25], 0)
    'X 2,2  O 1,1  X PASS'
    """
    return "  ".join(f"{'XO'[(ply + at) % 2]} {move_name(move)}" for at, move in enumerate(moves))


def vertex_name(move: int) -> str:
    """Return the move in GTP's form; rows count from the bottom.

    >>> [vertex_name(move) for move in (0, 4, 12, 20, PASS)]
    ['A5', 'E5', 'C3', 'A1', 'PASS']
    """
    if move == PASS:
        return "PASS"
    row, column = divmod(move, SIZE)
    return f"{_COLUMNS[column]}{SIZE - row}"


def host_move(vertex: str) -> str:
    """Return a GTP vertex in the host's form, even one off the board; raises NotationError for other text.

    >>> host_move("c3"), host_move("pass"), host_move("A9")
    ('2,2', 'PASS', '-4,0')
    """
    if vertex.lower() == "pass":
        return move_name(PASS)
    match = _VERTEX.fullmatch(vertex)
    if match is None:
        raise NotationError("not-a-move", f"not a vertex: {vertex[:40]!r}")
    return f"{SIZE - int(match[2])},{_COLUMNS.index(match[1].upper())}"


_LINE = re.compile(r"[^\r\n]+")
#: A command, with or without its number; a comment follows a #.
_GTP_COMMAND = re.compile(
    r"[ \t]*(?:[0-9]{1,9} +)?(?:play +(black|white|b|w) +([a-hj-z][0-9]{1,2}|pass)|(undo|clear_board)"
    r"|boardsize +([0-9]{1,3})|komi +(-?[0-9]{1,3}(?:\.[0-9]{1,3})?))[ \t]*(?=#|$)",
    re.IGNORECASE,
)
_PLAY = re.compile(r"(?:^|[\r\n])[ \t]*(?:[0-9]{1,9} +)?play +(?:black|white|b|w) +\S", re.IGNORECASE)


def is_script(text: str) -> bool:
    """Whether a line of a text is a command to play a move."""
    return _PLAY.search(text) is not None


def read_script(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Return the position after the commands of a script; raises NotationError.

    Lines that are neither ``boardsize``, ``clear_board``, ``komi``, ``play`` nor ``undo`` are left out.
    ply: where to stop. game: None for the course's; a komi other than the game's is named in a note.
    """
    game = game or COURSE
    words: list[str] = []
    taken, notes = [], []
    for line in _LINE.finditer(text):
        command = _GTP_COMMAND.match(line[0])
        if command is None:
            if re.match(r"[ \t]*(?:[0-9]{1,9} +)?play[ \t]", line[0], re.IGNORECASE):
                raise NotationError("not-a-move", f"{shown(line[0].strip())} plays no move")
            continue
        taken.append((line.start() + command.start(), line.start() + command.end()))
        colour, vertex, other, size, komi = command.groups()
        if colour:
            words.append(f"{colour} {vertex}")
        elif other:
            words = words[:-1] if other.lower() == "undo" else []
        elif size and int(size) != SIZE:
            raise NotationError("not-5x5", f"a board of size {size}, but only {SIZE} is possible here")
        elif komi and float(komi) != game.komi:
            notes.append(f"it states komi {float(komi):g}, and what is said here is for komi {game.komi:g}")
    line_of_moves = "\n".join(words)
    placed = after_moves(line_of_moves, ply=ply, game=game)
    return placed._replace(notes=tuple(dict.fromkeys(notes)), parts=parts_of(text, taken))
