"""Drawn boards: rows of signs, ours and other programs', and the lines around them.

A line around the rows may contain the mover, the plies, a PASS, the komi, the last move or captures. It counts only if
all of it has a known form: ours (``query``, ``play``, ``review``, ``showboard``, the page), GNU Go's, KataGo's,
GoGui's, or Sensei's Library's. Every other line is left out, whatever its words.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from notation.faults import NotationError, shown
from notation.parsed import ParsedPosition, parts_of, place, stated_game
from solver.family import COURSE, Variant
from solver.position import SIZE, Position, move_name, parse_rows

_COLOUR = r"black(?: \(x\))?|white(?: \(o\))?|x|o"
_NUMBER = "[0-9]{1,3}"
_KOMI = r"-?[0-9]{1,2}(?:\.[0-9]{1,2})?"
_STONE_WORDS = "(?:stones?|pieces?)"

#: The known forms, and the contents of their groups. mover: the side to move. last: the side that moved last. ply,
#: next: plies played, and the one to be played. plies, komi: the game's. passed: a PASS, if the group is not empty.
#: stop: the last move, if it was a PASS. point: its vertex otherwise. ko: the ko point. over: the game is over. blacks,
#: whites: captured stones of that side. on_black, on_white: stones on the board. heading: a length or komi that no line
#: has is the course's. alone: without a PASS in it there was none.
_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        # Ours: query's board, the page's line, showboard, play, review.
        rf"(?P<heading>)(?P<alone>)(?P<ply>{_NUMBER}) of (?P<plies>{_NUMBER}) plies played, "
        rf"(?P<mover>black \(x\)|white \(o\)) to move(?P<passed>, after a PASS)?(?:; komi (?P<komi>{_KOMI}))?\.",
        rf"(?P<alone>)(?P<ply>{_NUMBER}) of (?P<plies>{_NUMBER}) plies played, (?P<mover>black|white) to move\."
        r"(?: (?P<ko>[0-4],[0-4]) is forbidden by ko\.)?"
        r"(?P<passed> The last ply was a PASS: another one ends the game\.)?(?: This is the last ply\.)?",
        rf"(?P<heading>)(?P<over>)The game(?: of (?P<plies>{_NUMBER}) plies)? is over(?:; komi (?P<komi>{_KOMI}))?\.",
        rf"(?P<over>)The game is over after (?:ply {_NUMBER}|the last move)\.",
        r"(?P<heading>)(?P<over>)the game has ended: [BW]\+[0-9]{1,2}(?:\.[0-9])?",
        rf"(?P<heading>)ply (?P<ply>{_NUMBER}) of (?P<plies>{_NUMBER}), (?P<mover>black|white) to move",
        rf"Game: (?P<plies>{_NUMBER}) plies, komi (?P<komi>{_KOMI})",
        rf"ply (?P<next>{_NUMBER}) of (?P<plies>{_NUMBER}); x (?P<on_black>[0-9]{{1,2}}) : o (?P<on_white>[0-9]{{1,2}})"
        rf" \+ (?P<komi>{_KOMI})",
        rf"(?P<heading>)ply (?P<next>{_NUMBER}): (?P<mover>black|white) plays (?:[0-4],[0-4]|PASS), "
        r"(?:costs|loses) [0-9]{1,2}(?: points?)?(?: or more)?(?: and the win)?(?: \([a-z ]{1,40}\)?)?\.?",
        rf"(?P<heading>)It begins after ply (?P<ply>{_NUMBER}) with (?P<mover>black|white) to move:",
        # Everybody's.
        rf"(?:it is |it's )?(?P<mover>{_COLOUR}) to (?:move|play)[.!]?",
        rf"(?:it is |it's )?(?P<mover>{_COLOUR})['\u2019]s (?:turn|move)(?: to (?:move|play))?[.!]?",
        rf"(?:next player|player to move|next to move|next|to move|to play|turn) ?[:=] ?(?P<mover>{_COLOUR}|b|w)[.!]?",
        # GNU Go's.
        rf"white \(o\) has captured (?P<blacks>{_NUMBER}) {_STONE_WORDS}",
        rf"black \(x\) has captured (?P<whites>{_NUMBER}) {_STONE_WORDS}",
        r"(?P<alone>)Last move: (?P<last>black|white) (?:(?P<stop>PASS)|(?P<point>[a-e][1-5]))",
        # KataGo's.
        rf"(?:= ?)?MoveNum: (?P<ply>{_NUMBER}) HASH: [0-9A-F]{{1,64}}",
        rf"b stones captured: (?P<blacks>{_NUMBER})",
        rf"w stones captured: (?P<whites>{_NUMBER})",
        # GoGui's.
        rf"Prisoners: b (?P<blacks>{_NUMBER}) {{1,2}}w (?P<whites>{_NUMBER})",
    )
)
#: Each form has one of these words, and is no longer.
_WORD = re.compile(r"ply|plies|move|play|turn|next|over|ended|captured|prisoners", re.ASCII | re.IGNORECASE)
_LONGEST = 160

#: The sides of a diagram of Sensei's Library: the one that plays first.
_SENSEI = re.compile(r"\$\$([BW])?[0-9]{0,3}(?:m[0-9]{1,3})?c?(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
_HEAD = re.compile(
    r"(?:0 *1 *2 *3 *4|1 *2 *3 *4 *5|a *b *c *d *e)(?P<rest> {2,}[^ ].*)?", re.ASCII | re.IGNORECASE | re.DOTALL
)

_COLUMNS = "ABCDE"


class Context(NamedTuple):
    """The content of the lines around a board; None where no line contains it.

    mover: 1 = Black, 2 = White. ply: plies played. plies, komi: the game's length and komi. heading: whether a line is
        ours, which names another game than the course's. captured: captured stones of Black and of White. stones: those
        on the board. last: the last stone's side and its point.
    """

    mover: int | None = None
    ply: int | None = None
    plies: int | None = None
    komi: float | None = None
    heading: bool | None = None
    passed: bool | None = None
    over: bool | None = None
    ko: int | None = None
    captured_black: int | None = None
    captured_white: int | None = None
    on_black: int | None = None
    on_white: int | None = None
    last: tuple[int, int] | None = None

    def merged_with(self, found: Mapping[str, Any], line: str) -> "Context":
        """Merge one more line's content; raises NotationError where another line contradicts it."""
        for name, value in found.items():
            if getattr(self, name) not in (None, value):
                raise NotationError("ambiguous", f"{shown(line)} contradicts another line around the board")
        return self._replace(**found)

    def game(self, asked: Variant | None) -> Variant:
        """Return the named game, or the one asked about, or the course's; raises NotationError."""
        known = COURSE if self.heading else asked or COURSE
        plies = known.plies if self.plies is None else self.plies
        return stated_game(plies, known.komi if self.komi is None else self.komi, asked)

    def plies_played(self, game: Variant) -> int | None:
        """Return the plies played; raises NotationError where the lines contradict each other."""
        ply = game.plies if self.over else self.ply
        if self.over and (self.mover is not None or self.ply not in (None, game.plies)):
            raise NotationError("ambiguous", "one line shows a game that is over, and another one that continues")
        if ply is not None and not self.over and self.mover not in (None, 1 + ply % 2):
            raise NotationError("ambiguous", f"after {ply} plies it is the other side's move")
        return ply


def game_line(game: Variant) -> list[str]:
    """Return the line around a printed board that names another game than the course's; none for the course's.

    >>> game_line(COURSE), game_line(Variant(8, 0.5))
    ([], ['Game: 8 plies, komi 0.5'])
    """
    return [] if game == COURSE else [f"Game: {game}"]


def read_line(line: str) -> Mapping[str, Any] | None:
    """Return the content of a line of a known form, by the names of ``Context``; None for any other line."""
    if len(line) > _LONGEST or _WORD.search(line) is None:
        return None
    match = next((match for form in _FORMS if (match := form.fullmatch(line))), None)
    return None if match is None else dict(_facts(match.groupdict()))


def read_head(line: str) -> int | None:
    """Return the length of a line's start of columns' names or Sensei's mark; None without one."""
    match = _SENSEI.match(line) or _HEAD.fullmatch(line)
    if match is None:
        return None
    return match.end() if match.re is _SENSEI else len(line) - len(match["rest"] or "")


def sensei_mover(line: str) -> int | None:
    """Return the side of Sensei's mark at the beginning of a line."""
    match = _SENSEI.match(line)
    return None if match is None or match[1] is None else _colour(match[1])


def _facts(found: Mapping[str, str | None]) -> Iterator[tuple[str, Any]]:
    numbers = {"ply": "ply", "plies": "plies", "blacks": "captured_black", "whites": "captured_white"}
    for group, name in (numbers | {"on_black": "on_black", "on_white": "on_white"}).items():
        if (number := found.get(group)) is not None:
            yield name, int(number)
    if (number := found.get("next")) is not None:
        yield "ply", int(number) - 1
    if (mover := found.get("mover")) is not None:
        yield "mover", _colour(mover)
    if (komi := found.get("komi")) is not None:
        yield "komi", float(komi)
    if "heading" in found:
        yield "heading", True
    if (last := found.get("last")) is not None:
        yield "mover", 3 - _colour(last)
        if (vertex := found.get("point")) is not None:
            yield "last", (_colour(last), 5 * (5 - int(vertex[1])) + _COLUMNS.index(vertex[0].upper()))
    if (ko := found.get("ko")) is not None:
        yield "ko", 5 * int(ko[0]) + int(ko[2])
    if "over" in found:
        yield "over", True
    elif "alone" in found:
        yield "passed", bool(found.get("passed") or found.get("stop"))


def _colour(word: str) -> int:
    return 1 if word[0].lower() in "bx" else 2


#: The signs of an empty point, of a stone of each side, and of the ko point; those of a board without a dot.
_SIGNS = (".·", "Xx#●Bb", "Oo○Ww")
_KO = "+"
_STONES = re.escape("".join(_SIGNS[1:]))
_DOTS, _DASHES = (re.escape(signs) for signs in (_SIGNS[0], "_-"))

#: A point: KataGo writes a digit behind the last stones. A row: five of them, with or without blanks between them and
#: the row's number before them; GNU Go and GoGui print captures behind a second number.
_POINT = rf"(?:[{{}}{_STONES}{re.escape(_KO)}]|[{_STONES}][1-3](?![0-9]))"
_ROW_OF = rf" *(?:([0-9]) +)?({_POINT}(?: *{_POINT}){{{{{SIZE - 1}}}}}) *(?:(?<= )([0-9])(?: +[^ ].*| *))?"
_ROW, _DASHED = (re.compile(_ROW_OF.format(empty, empty), re.DOTALL) for empty in (_DOTS, _DASHES))
_DIGITS = re.compile(r" *(?:([0-9]) +)?([012](?: *[012]){4}) *(?:(?<= )([0-9]) *)?")
#: A row as a list of Python or numpy.
_SIGN = rf"(?:[012]\.?|'[{_DOTS}_{_STONES} -]'|\"[{_DOTS}_{_STONES} -]\")"
_LISTED = re.compile(rf"\[ *({_SIGN}(?:(?: *, *| +){_SIGN}){{{SIZE - 1}}}) *\]")
#: A row of a smaller or larger board.
_PART = re.compile(rf" *(?:[0-9] +)?(?:[{_DOTS}{_STONES}{re.escape(_KO)}] *){{3,}}(?:(?<= )[0-9](?: .*)?)?", re.DOTALL)

_LINE_END = re.compile("\r\n|\r|\n")
#: Blanks of any width, brackets around the last stone, and lines of a table.
_BLANKS = str.maketrans(dict.fromkeys("\t\v\f\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\ufeff", " "))
_AROUND = str.maketrans("()|", "   ")
#: The mark of a quotation, and that of a diagram of Sensei's Library.
_QUOTED = re.compile(r"[ >]*(?:\$\$(?= ))?")


class _Row(NamedTuple):
    """A row of a board. signs: one for each point; number: its own; begin, end: its place in the text."""

    signs: str
    number: str | None
    begin: int
    end: int


class _Line(NamedTuple):
    """A line of a text behind the marks of a quotation, with plain blanks, and its beginning."""

    text: str
    begin: int


def read_board(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Read five rows: ``.`` empty, ``X`` or ``#`` Black, ``O`` White, ``+`` the ko point.

    Rows may be lines or separated by slashes, with or without blanks and the row's number; ``-`` and ``_`` for empty
    points, rows of the host's digits and lists of Python are read as well. Lines around the rows that have a known form
    contain the mover, the plies played, a PASS, the game. A ``+`` that cannot be a ko point is an empty point, as
    boards of Go programs mark some.

    ply: plies played; None for the text's, or else the least that fits.
    game: None for the text's, or else the course's.
    Raises NotationError: ``ambiguous`` where two lines contradict each other, or for more than one board.
    """
    lines = list(_lines(text))
    rows = _rows(lines)
    if len(rows) != SIZE:
        wanted = f"{len(rows)} rows of a board, want {SIZE} of {SIZE} points: . empty, X Black, O White, + ko"
        raise NotationError("ambiguous" if len(rows) > SIZE else "damaged", wanted)
    context, taken = _context(lines, rows)
    game = context.game(game)
    signs = "".join(row.signs for row in rows)
    _check_rows(rows, signs)
    board = parse_rows(["".join(str(_digit(sign)) for sign in row.signs) for row in rows])
    _check_stones(board, context)
    named_ply = context.plies_played(game)
    if ply is not None and named_ply not in (None, ply):
        raise NotationError("ambiguous", f"it is after ply {named_ply}, and not after {ply}")
    ko = signs.index(_KO) if signs.count(_KO) == 1 else context.ko
    captured = (context.captured_black or 0, context.captured_white or 0)
    position = Position(*board, ko, 0, bool(context.passed))
    placed = place(position, None if context.over else context.mover, named_ply if ply is None else ply, game, captured)
    if context.ko not in (None, placed.position.ko):
        raise NotationError("ambiguous", f"no ko is possible at {move_name(context.ko)}, which a line names")
    return placed._replace(parts=parts_of(text, sorted([*taken, *((row.begin, row.end) for row in rows)])))


def shows_rows(text: str) -> bool:
    """Whether a text contains a row of a board, even of another size."""
    lines = list(_lines(text))
    pieces = (piece for line in lines if "." in line.text for piece in line.text.split("/") if "." in piece)
    return any(_PART.fullmatch(piece.translate(_AROUND)) for piece in pieces) or bool(_rows(lines))


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for end in (*_LINE_END.finditer(text), None):
        line = text[at : len(text) if end is None else end.start()].translate(_BLANKS)
        marks = _QUOTED.match(line)
        assert marks is not None, "it matches no character as well"
        yield _Line(line[marks.end() :].rstrip(" "), at + marks.end())
        at = len(text) if end is None else end.end()


def _rows(lines: list[_Line]) -> list[_Row]:
    """Return the rows of the board; with dashes for empty points only where no row has a dot or a zero."""
    rows = [row for line in lines for row in (*_listed(line), *_drawn(line, _ROW), *_drawn(line, _DIGITS))]
    if any("." in row.signs for row in rows):
        return rows
    dashed = [row for line in lines for row in _drawn(line, _DASHED)]
    # A line of dashes alone separates texts.
    is_board = len(dashed) == SIZE or any(row.signs.strip(".+") for row in dashed)
    return dashed if is_board and len(dashed) > len(rows) else rows


def _listed(line: _Line) -> Iterator[_Row]:
    for match in _LISTED.finditer(line.text):
        signs = re.findall(r"([012])\.?|['\"](.)['\"]", match[1])
        row = "".join(".XO"[int(digit)] if digit else "." if sign in " -_" else sign for digit, sign in signs)
        yield _Row(row, None, line.begin + match.start(), line.begin + match.end())


def _drawn(line: _Line, form: "re.Pattern[str]") -> Iterator[_Row]:
    """Yield the rows of a line: one, or five that slashes separate."""
    pieces = line.text.split("/")
    at = line.begin
    rows = []
    for piece in pieces:
        match = form.fullmatch(piece.translate(_AROUND))
        if match:
            row = re.sub("[ 1-3]", "", match[2])
            if form is _DIGITS:
                row = "".join(".XO"[int(digit)] for digit in match[2] if digit != " ")
            end = at + (match.end(3) if match[3] else match.end(2))
            rows.append(_Row(row.translate(_EMPTY), match[1], at, end))
        elif piece:
            return
        at += len(piece) + 1
    yield from rows


_EMPTY = str.maketrans("-_", "..")


def _context(lines: list[_Line], rows: list[_Row]) -> tuple[Context, list[tuple[int, int]]]:
    """Return the content of the lines around the rows, and their places; raises NotationError for a contradiction."""
    context, taken = Context(), []
    ends = {row.begin: row.end for row in rows}
    for line in lines:
        text, begin = line
        last = max((end for at, end in ends.items() if begin <= at <= begin + len(text)), default=None)
        if last is not None:
            text, begin = text[last - begin :], last
        elif head := read_head(text):
            taken.append((begin, begin + head))
            if (mover := sensei_mover(text)) is not None:
                context = context.merged_with({"mover": mover}, text)
            text, begin = text[head:], begin + head
        stripped = text.strip(" ")
        found = read_line(stripped)
        if found is not None:
            begin += text.index(stripped)
            taken.append((begin, begin + len(stripped)))
            context = context.merged_with(found, stripped)
    return context, taken


def _digit(sign: str) -> int:
    return next((digit for digit, signs in enumerate(_SIGNS) if sign in signs), 0)


def _check_rows(rows: list[_Row], signs: str) -> None:
    """Raise NotationError for two signs of one side, and for rows whose numbers are no sequence."""
    for colour in _SIGNS[1:]:
        if len(used := sorted(set(signs) & set(colour))) > 1:
            wanted = f"{shown(used[0])} and {shown(used[1])} on one board: want one sign for each side"
            raise NotationError("ambiguous", wanted)
    numbers = [int(row.number) for row in rows if row.number is not None]
    steps = {after - before for before, after in pairwise(numbers)}
    if numbers and (len(numbers) != SIZE or steps not in ({1}, {-1})):
        raise NotationError("damaged", f"its rows have the numbers {', '.join(map(str, numbers))}")


def _check_stones(board: tuple[int, int], context: Context) -> None:
    """Raise NotationError for a board that contradicts a line's count of stones or last stone."""
    for name, count, stones in zip(("Black", "White"), (context.on_black, context.on_white), board, strict=True):
        if count not in (None, stones.bit_count()):
            wanted = f"{name} has {stones.bit_count()} stones on the board, and {count} by a line around it"
            raise NotationError("ambiguous", wanted)
    if context.last is not None and not board[context.last[0] - 1] >> context.last[1] & 1:
        raise NotationError("ambiguous", "the last move that it names is no stone of that side on the board")
