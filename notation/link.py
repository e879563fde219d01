"""Addresses of positions: links of the explorer's page, and keys."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from notation.faults import NotationError, shown
from notation.movetext import after_moves
from notation.parsed import ParsedPosition, at_ply, check_told, checked, parts_of, stated_game, whole
from solver.family import COURSE, Variant
from solver.position import SIZE, Position, parse_rows
from solver.symmetry import position_of

#: A link to the empty board has nothing behind its #.
_LINK = re.compile(r"#(\S{0,99}(?a:\b)(?:moves|from)=\S{0,999})|(?a:\b)explorer\.html#?(?=(?a:\W)?$)")
#: The same with every sign escaped that can be.
_ESCAPED = re.compile(r"%23(?:moves|from)%3[Dd]\S{0,999}")
#: The parts that name a position, and those of the page that do not matter to it.
_NAMES = {"moves", "from", "at", "plies", "komi"}
_PAGE_NAMES = {"mode", "side", "against", "board", "names"}
#: Characters outside of addresses; the length limit.
_BEFORE, _LONGEST = " \t\r\n()<>[]\"'", 300
#: Signs that a sentence or a bracket leaves behind a link.
_AFTER = re.compile(r"[^\w-]+$", re.ASCII)
_CUT_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_FROM = re.compile(r"([_XO]{25})\.([0-9]{1,2})\.(-|[0-9]{1,2})\.([P-])")
_PLIES, _KOMI = re.compile(r"[0-9]{1,2}"), re.compile(r"-?[0-9]{1,2}(?:\.[0-9])?")
_KEY = re.compile(r"[0-9]{1,40}|0x[0-9a-f]{1,40}", re.IGNORECASE)


def is_link(text: str) -> bool:
    """Whether a text contains a link of the page."""
    return _LINK.search(text) is not None or _ESCAPED.search(text) is not None


def read_link(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Return the position of a link of a game's page, and those before it on its line.

    game: the one asked about, if any. A link that names no game is of the course's.
    Raises NotationError, also for another game, for two links that differ, and for a given ply, which links contain.
    """
    check_told(ply)
    found = _LINK.search(text)
    escaped = None if found else _ESCAPED.search(text)
    if escaped is not None:
        inner = read_link(unquote(escaped[0]), game)
        return inner._replace(parts=parts_of(text, [(_address(text, escaped.start()), escaped.end())]))
    if found is None:
        raise NotationError("damaged", "no link: want one with #moves= or #from=")
    fragment = _AFTER.sub("", found[1] or "")
    if any(_AFTER.sub("", other[1] or "") != fragment for other in _LINK.finditer(text, found.end())):
        raise NotationError("ambiguous", "it has two links that differ")
    parts = _fragment_parts(fragment)
    game = _named_game(parts, game)
    start = read_start(parts["from"], game) if "from" in parts else game.start
    line = after_moves(parts.get("moves", "").replace(".", " "), start, game=game)
    line = line._replace(parts=parts_of(text, _taken(text, found, fragment)))
    if "at" not in parts:
        return line
    positions = (*line.way, line.position)
    at = int(parts["at"]) if re.fullmatch(r"[0-9]{1,3}", parts["at"]) else len(positions)
    if at >= len(positions):
        wanted = f"{shown(parts['at'])} is no place of a line of {len(positions) - 1} moves"
        raise NotationError("damaged", wanted, part="at")
    return line._replace(position=positions[at], way=positions[:at])


def _fragment_parts(fragment: str) -> dict[str, str]:
    try:
        if _CUT_ESCAPE.search(fragment):
            raise ValueError
        pairs = [part.partition("=")[::2] for part in unquote(fragment, errors="strict").split("&") if part]
    except ValueError:
        raise NotationError("damaged", "the link is cut within an escape, % and two digits") from None
    parts = dict(pairs)
    if twice := [name for name, value in pairs if parts[name] != value]:
        raise NotationError("ambiguous", "it is there twice", part=twice[0])
    return parts


def _named_game(parts: Mapping[str, str], asked: Variant | None) -> Variant:
    """Return the game of a link, the course's where it names none; raises NotationError."""
    plies, komi = parts.get("plies", str(COURSE.plies)), parts.get("komi", str(COURSE.komi))
    if not (_PLIES.fullmatch(plies) and _KOMI.fullmatch(komi)):
        raise NotationError("damaged", "its plies and komi are no numbers")
    return stated_game(int(plies), float(komi), asked)


def _address(text: str, end: int) -> int:
    begin = end
    while begin and end - begin < _LONGEST and text[begin - 1] not in _BEFORE:
        begin -= 1
    return begin


def _taken(text: str, found: "re.Match[str]", fragment: str) -> list[tuple[int, int]]:
    """Return the places of the link's address and of the parts of its fragment that count."""
    begin = _address(text, found.start())
    if found[1] is None:
        return [(begin, found.end())]
    at = found.start(1)
    spans = [(begin, at)]
    for part in fragment.split("&"):
        if unquote(part).partition("=")[0] in _NAMES | _PAGE_NAMES:
            spans.append((at, at + len(part)))
        at += len(part) + 1
    return spans


def read_start(text: str, game: Variant) -> Position:
    """Return the position that a link or an SGF of ours contains in full; raises NotationError."""
    match = _FROM.fullmatch(text)
    if match is None:
        raise NotationError("damaged", "want 25 of _ X O, the ply, the ko point or -, and P or -", part="from")
    signs = match[1].translate(str.maketrans("_XO", "012"))
    board = parse_rows([signs[at : at + SIZE] for at in range(0, len(signs), SIZE)])
    found = Position(*board, None if match[3] == "-" else int(match[3]), passed=match[4] == "P")
    return checked(at_ply(found, int(match[2]), game), game)


def link_fragment(position: Position, game: Variant) -> str:
    """Return the part of a page's link that names a position, and its game if not the course's.

    >>> link_fragment(COURSE.start, COURSE), link_fragment(Variant(8, 0.5).start, Variant(8, 0.5))[-16:]
    ('from=_________________________.0.-.-', 'plies=8&komi=0.5')
    """
    named = "" if game == COURSE else f"&plies={game.plies}&komi={game.komi:g}"
    return f"from={start_text(position, game)}{named}"


def start_text(position: Position, game: Variant) -> str:
    """Return a position in the form of ``read_start``, with the ply as its game counts."""
    board = "".join("_XO"[int(digit)] for row in position.rows() for digit in row)
    ko = "-" if position.ko is None else position.ko
    ply = position.ply - game.first_ply
    return f"{board}.{ply}.{ko}.{'P' if position.passed and ply else '-'}"


def is_key(text: str) -> bool:
    """Whether a text is a number such as a key."""
    return _KEY.fullmatch(text) is not None


def read_key(text: str, game: Variant, ply: int | None = None) -> ParsedPosition:
    """Return the position of a key (solver.symmetry), decimal or, with 0x before it, hexadecimal.

    Raises NotationError, also for a given ply, which a key contains.

    >>> read_key("864691128455135232", COURSE).position == COURSE.start
    True
    """
    check_told(ply)
    word = text.strip()
    if not is_key(word):
        raise NotationError("damaged", f"{shown(word)} is no key: want a number of at most 61 bits")
    try:
        position = position_of(int(word, 16 if word[:2] in ("0x", "0X") else 10))
    except ValueError as error:
        raise NotationError("damaged", str(error)) from None
    return ParsedPosition(checked(position, game), game, parts=whole(text))
