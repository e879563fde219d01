"""Read and write positions as links, as keys, and as JSON. Links lead to the page of the explorer.

The names in JSON are the same in all files and commands. ``black`` and ``white`` are bit sets, in which bit ``5 * i +
j`` is the point in row i and column j. ``ko`` is a point number or null. ``ply`` is the number of plies played.
``passed`` states whether the last ply was a PASS.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from little_go.notation import texts
from little_go.notation.faults import NotationError, shown
from little_go.notation.movetext import after_moves
from little_go.notation.parsed import (
    ParsedPosition,
    at_ply,
    check_told,
    checked,
    left_out,
    parts_of,
    stated_game,
    whole,
)
from little_go.notation.ports import Ports, refusal, table
from little_go.notation.settling import check_around, key_position, settle
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import SIZE, Position, move_name, parse_rows

_KEYS = ("black", "white", "ply")

#: The maximum number of games in a text of JSON Lines.
MOST_GAMES = 5000


def to_record(position: Position, game: Variant) -> dict[str, Any]:
    """Return the JSON fields of a position, with the ply counted from the game's start.

    If the game is not the course's game, the fields of the game are included.

    >>> to_record(Position(), COURSE)
    {'black': 0, 'white': 0, 'ko': None, 'ply': 0, 'passed': False}
    >>> to_record(Variant(8, 0.5).start, Variant(8, 0.5))
    {'black': 0, 'white': 0, 'ko': None, 'ply': 0, 'passed': False, 'plies': 8, 'komi': 0.5}
    """
    ply = position.ply - game.first_ply
    return position._replace(ply=ply, passed=position.passed and ply > 0)._asdict() | game_keys(game)


def answer_record(answer: Answer, sources: Sequence[str]) -> dict[str, Any]:
    """Return the JSON fields of an answer: value, lo, hi, best_move, nodes, and the sources of the bounds."""
    return {
        "value": answer.value,
        "lo": answer.lo,
        "hi": answer.hi,
        "best_move": None if answer.best is None else move_name(answer.best),
        "nodes": answer.nodes,
        "sources": list(sources),
    }


def left_out_record(left: Sequence[str]) -> dict[str, Any]:
    """Return the JSON field with the skipped parts of a text, or an empty dictionary if nothing was skipped."""
    return {"not_read": [*left]} if left else {}


def from_record(record: Mapping[str, Any], game: Variant) -> Position:
    """Return the position with these JSON fields. The ply is counted from the game's start.

    The fields ``ko`` and ``passed`` are optional. Raise NotationError if a field is missing or invalid, or if the
    position is impossible.
    """
    for key in _KEYS:
        if key not in record:
            wanted = f"{key!r} is missing: a position has black, white and ply, and may have ko and passed"
            raise NotationError("damaged", wanted)
        if not _is_int(record.get(key)):
            raise NotationError("damaged", f"{key!r} must be an integer, not {record.get(key)!r:.40}")
    ko, passed = record.get("ko"), record.get("passed", False)
    if ko is not None and not _is_int(ko):
        raise NotationError("damaged", f"'ko' must be a point number or null, not {ko!r:.40}")
    if not isinstance(passed, bool):
        raise NotationError("damaged", f"'passed' must be true or false, not {passed!r:.40}")
    return checked(at_ply(Position(record["black"], record["white"], ko, 0, passed), record["ply"], game), game)


def game_keys(game: Variant) -> dict[str, Any]:
    """Return the JSON fields of the game's length and komi, or an empty dictionary for the course's game."""
    return {} if game == COURSE else {"plies": game.plies, "komi": game.komi}


def game_of(record: Mapping[str, Any]) -> Variant:
    """Return the game with a record's length and komi. Raise ValueError if one of them is invalid.

    If the record contains no length or no komi, the result has the length or the komi of the course's game.
    """
    plies, komi = record.get("plies", COURSE.plies), record.get("komi", COURSE.komi)
    if type(plies) is not int or type(komi) not in (int, float):
        raise ValueError("its plies and komi are not numbers")
    game = Variant(plies, komi)
    game.check()
    return game


def read_json(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Read a JSON object with ``moves``, ``key``, a drawn ``board``, or the fields of ``from_record``.

    - ``game``: the game; None for the game that the object states, or for the course's game.
    - ``ply``: the number of plies played, if the object does not contain this number.

    Raise NotationError if the object cannot be read, if fields contradict each other, or if an unknown field could
    change the answer.

    >>> read_json('{"moves": "2,2 1,1"}', COURSE).way == read_json('{"moves": ["2,2", "1,1"]}', COURSE).way
    True
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines):
        return _first_of(lines, text, game, ply)
    if len(text) > (most := table()["most"]["text"]):
        raise refusal("too-long", most)
    said = texts.read_json(Ports(text), text)
    if said["form"] != "board":
        check_told(ply)
    return settle(said, text, game, ply)


def _first_of(lines: Sequence[str], text: str, game: Variant | None, ply: int | None) -> ParsedPosition:
    """Return the position of the first of several objects on separate lines. All of the objects must be valid."""
    if len(lines) > MOST_GAMES:
        raise refusal("many-games", len(lines), MOST_GAMES)
    games = []
    for number, line in enumerate(lines, 1):
        try:
            games.append(read_json(line.strip(), game, ply))
        except NotationError as error:
            raise NotationError(error.fault, str(error), line=number) from None
    first = games[0]
    notes = (*first.notes, "it has other games, and this is game 1")
    end = text.index(lines[0].strip()) + len(lines[0].strip())
    return first._replace(notes=notes, parts=(*first.parts, *parts_of(text[end:], [(0, len(text) - end)])))


def record_left_out(text: str) -> tuple[str, ...]:
    """Return the skipped parts of a game's record. Raise NotationError if an unknown field could change the answer."""
    return left_out(parts_of(text, texts.read_record(Ports(text), text)["taken"]))


def is_object(text: str) -> bool:
    """Return whether a text begins with the bracket of a JSON object."""
    return text.startswith("{")


def parse_object(text: str) -> dict[str, Any]:
    """Parse a JSON object. Raise NotationError if the text is not a JSON object."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("damaged", f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise NotationError("damaged", f"give a JSON object instead of {type(record).__name__}")
    return record


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


#: A link of the page. A link to the empty board has no text after the sign #.
_LINK = re.compile(r"#(\S{0,99}(?a:\b)(?:moves|from)=\S{0,999})|(?a:\b)explorer\.html#?(?=(?a:\W)?$)")
#: A link of the page in which all characters that may be escaped are escaped.
_ESCAPED = re.compile(r"%23(?:moves|from)%3[Dd]\S{0,999}")
#: The names of the parts of a link that state a position, harmless names, and other names that the page uses. The part
#: "draft" is the position in the page's editor.
_NAMES = {"moves", "from", "at", "plies", "komi", "draft"}
_HARMLESS = re.compile(r"utm_[a-z]{1,20}|ref|fbclid|gclid|lang|theme")
_PAGE_NAMES = {"mode", "side", "against", "board", "names", "beside"}
#: The characters that no address contains, and the maximum length of an address.
_BEFORE, _LONGEST = " \t\r\n()<>[]\"'", 300
#: The punctuation that may follow a link in a sentence.
_AFTER = re.compile(r"[^\w\uff00-\uffef-]+$", re.ASCII)
_CUT_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_FROM = re.compile(r"([_XO]{25})\.([0-9]{1,2})\.(-|[0-9]{1,2})\.([P-])")
_PLIES, _KOMI = re.compile(r"[0-9]{1,2}"), re.compile(r"-?[0-9]{1,2}(?:\.[0-9])?")


def is_link(text: str) -> bool:
    """Return whether a text contains a link of the page."""
    return _LINK.search(text) is not None or _ESCAPED.search(text) is not None


def read_link(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Return the position of a link to the page, and the earlier positions of its line.

    The parameter ``game`` is the game that the user asks about, or None. A link without a game belongs to the course's
    game. Raise NotationError if the text contains no valid link, a link of another game, or two different links. Raise
    NotationError if ``ply`` is given, because a link contains the ply.
    """
    check_told(ply)
    found = _LINK.search(text)
    escaped = None if found else _ESCAPED.search(text)
    if escaped is not None:
        inner = read_link(unquote(escaped[0]), game)
        spans = [(_address(text, escaped.start()), escaped.end())]
        check_around(_outside(text, spans), inner)
        return inner._replace(parts=parts_of(text, spans))
    if found is None:
        raise NotationError("damaged", "not a link of the page: give a link with #moves= or #from=")
    fragment = _AFTER.sub("", found[1] or "")
    others = list(_LINK.finditer(text, found.end()))
    if any(_AFTER.sub("", other[1] or "") != fragment for other in others):
        raise refusal("two-links")
    parts = _fragment_parts(fragment)
    game = _named_game(parts, game)
    start = read_start(parts["from"], game) if "from" in parts else game.start
    line = after_moves(parts.get("moves", "").replace(".", " "), start, game=game)
    line = line._replace(parts=parts_of(text, _taken(text, found, fragment)))
    if "at" in parts:
        positions = (*line.way, line.position)
        at = int(parts["at"]) if re.fullmatch(r"[0-9]{1,3}", parts["at"]) else len(positions)
        if at >= len(positions):
            wanted = f"{shown(parts['at'])} is not a place in a line of {len(positions) - 1} moves"
            raise NotationError("damaged", wanted, part="at")
        line = line._replace(position=positions[at], way=positions[:at])
    if "draft" in parts:
        line = line._replace(position=read_start(parts["draft"], game, "draft"), way=())
    if unknown := [name for name in parts if name not in _NAMES | _PAGE_NAMES and not _HARMLESS.fullmatch(name)]:
        raise refusal("unknown-part", unknown[0])
    spans = [(_address(text, each.start()), each.end()) for each in (found, *others)]
    return check_around(_outside(text, spans), line)


def _outside(text: str, spans: list[tuple[int, int]]) -> str:
    ends = [0, *(end for _, end in spans)]
    return "\n".join(
        text[at:begin] for at, begin in zip(ends, [*(begin for begin, _ in spans), len(text)], strict=True)
    )


def _fragment_parts(fragment: str) -> dict[str, str]:
    try:
        if _CUT_ESCAPE.search(fragment):
            raise ValueError
        pairs = [part.partition("=")[::2] for part in unquote(fragment, errors="strict").split("&") if part]
    except ValueError:
        raise NotationError("damaged", "the link is cut within an escape, % and two digits") from None
    parts = dict(pairs)
    if twice := [name for name, value in pairs if parts[name] != value]:
        raise NotationError("ambiguous", "it occurs twice: delete one of the two", part=twice[0])
    return parts


def _named_game(parts: Mapping[str, str], asked: Variant | None) -> Variant:
    """Return the game of a link, or the course's game. Raise NotationError for an invalid or different game."""
    plies, komi = parts.get("plies", str(COURSE.plies)), parts.get("komi", str(COURSE.komi))
    if not (_PLIES.fullmatch(plies) and _KOMI.fullmatch(komi)):
        raise NotationError("damaged", "its plies and komi are not numbers")
    return stated_game(int(plies), float(komi), asked)


def _address(text: str, end: int) -> int:
    begin = end
    while begin and end - begin < _LONGEST and text[begin - 1] not in _BEFORE:
        begin -= 1
    return begin


def _taken(text: str, found: "re.Match[str]", fragment: str) -> list[tuple[int, int]]:
    """Return the spans of the link's address and of all parts of its fragment that the page uses."""
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


def read_start(text: str, game: Variant, part: str = "from") -> Position:
    """Return the position from the text that links and our SGF contain. The text has all fields of the position.

    Raise NotationError if the text is invalid or the position is impossible. The message contains ``part``.
    """
    match = _FROM.fullmatch(text)
    if match is None:
        raise NotationError(
            "damaged", "not a position: give 25 of the signs _ X O, the ply, the ko point or -, and P or -", part=part
        )
    signs = match[1].translate(str.maketrans("_XO", "012"))
    board = parse_rows([signs[at : at + SIZE] for at in range(0, len(signs), SIZE)])
    found = Position(*board, None if match[3] == "-" else int(match[3]), passed=match[4] == "P")
    return checked(at_ply(found, int(match[2]), game), game)


def link_fragment(position: Position, game: Variant) -> str:
    """Return the part of a link that states a position. If the game is not the course's game, include the game.

    >>> link_fragment(COURSE.start, COURSE), link_fragment(Variant(8, 0.5).start, Variant(8, 0.5))[-16:]
    ('from=_________________________.0.-.-', 'plies=8&komi=0.5')
    """
    named = "" if game == COURSE else f"&plies={game.plies}&komi={game.komi:g}"
    return f"from={start_text(position, game)}{named}"


def start_text(position: Position, game: Variant) -> str:
    """Return a position as the text that ``read_start`` reads. The ply is counted from the game's start."""
    board = "".join("_XO"[int(digit)] for row in position.rows() for digit in row)
    ko = "-" if position.ko is None else position.ko
    ply = position.ply - game.first_ply
    return f"{board}.{ply}.{ko}.{'P' if position.passed and ply else '-'}"


def read_key(text: str, game: Variant, ply: int | None = None) -> ParsedPosition:
    """Return the position of a key (solver.symmetry), which is decimal or, with the prefix 0x, hexadecimal.

    Raise NotationError if the key is invalid, or if ``ply`` is given, because a key contains the ply.

    >>> read_key("864691128455135232", COURSE).position == COURSE.start
    True
    """
    check_told(ply)
    return ParsedPosition(checked(key_position(text.strip()), game), game, parts=whole(text))
