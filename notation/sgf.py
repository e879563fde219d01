"""Read and write games in SGF, the format of Go programs (FF[1] to FF[4], https://www.red-bean.com/sgf/).

The grammar of the library sgfmill parses the games. The SGF reader of sgfmill is not used, because it does not support
set-ups after the root, ``SZ[5:5]``, names in lower case, and character sets in which a backslash or a bracket is part
of a character. This module supports all of these.
"""

import codecs
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from little_go.notation.faults import NotationError, shown
from little_go.notation.parsed import (
    BLANKS,
    MOST_SGF_BYTES,
    SGF_BARE,
    SGF_START,
    ParsedPosition,
    Part,
    left_out,
    parts_of,
    place,
    same_game,
)
from little_go.notation.ports import Ports
from little_go.notation.record import read_start, start_text
from little_go.notation.settling import check_ply, illegal
from little_go.notation.texts import read_mover
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import GAME_PLIES, PASS, SIZE, IllegalMove, Position, points_of

with warnings.catch_warnings():
    # Later versions of Python warn about backslashes in the texts of sgfmill when they first compile its modules.
    warnings.simplefilter("ignore")
    from sgfmill import sgf, sgf_grammar, sgf_properties

#: The name of the rules in the games that we write.
_RULES = "Little-Go: stones alone count, {} plies"

RULES = _RULES.format(GAME_PLIES)

#: The name of the rules without blanks, with a group for the length in plies.
_OUR_RULES = re.compile(_RULES.replace(" ", "").format(r"(\d{1,3})"))

#: A value, which is skipped, or a character that separates nodes or variations.
_STRUCTURE = re.compile(r"\[(?:\\.|[^\\\]])*\]?|[();]", re.DOTALL)
_SIZE = re.compile(rf"0*{SIZE}(?::0*{SIZE})?")
_CHARSET = re.compile(rb"(?<![A-Za-z])[Cc][Aa]\s*\[\s*([\w.:-]{1,40})\s*\]")
#: The codecs that an SGF file may name. All of these codecs include ASCII.
_CODECS = re.compile(r"utf-8|ascii|iso8859|cp\d|shift_jis|euc_|gb|big5|koi8|johab|hkscs|mac|latin")

#: A value, which stays unchanged, the name of a property, or blanks. A value that has no end contains the rest.
_NAME = re.compile(rf"\[(?:\\.|[^\\\]])*\]?|[A-Za-z]+|[{BLANKS}]+", re.DOTALL)
#: The long names of properties whose capital letters are not the short name.
_NAMES = {"size": "SZ", "komi": "KM", "game": "GM", "handicap": "HA", "player": "PL", "black": "B", "white": "W"}

#: The properties that change the board without a move. A variation of a node with such a property begins with another
#: board.
_SET_UP = {"AB", "AW", "AE", "PL", "LG"}

_POINT = re.compile(r"[A-Za-z]{2}")


class SgfGame(NamedTuple):
    """The main line of a game, beginning with its last set-up of stones.

    - ``root``: the properties of the first node, each with its raw values.
    - ``start``: the position before the first move, which is the start of the game or a set-up.
    - ``moves``: all moves after the start.
    - ``positions``: the start, and the position after each move up to the first illegal move.
    - ``fault``: the reason why the first illegal move is illegal, or None.
    - ``notes``: the notes for a ParsedPosition.
    - ``others``: the variations as trees of sgfmill, indexed by the number of moves before each variation.
    - ``game``: the game that the SGF states if we wrote the SGF; otherwise the game that the user asks about.
    - ``parts``: the parts of the file's text (see ParsedPosition), if the game was requested by its number.
    - ``comments``: the comments on the main line, indexed by the number of moves before each comment.
    """

    root: Mapping[str, list[bytes]]
    start: Position
    moves: tuple[int, ...]
    positions: tuple[Position, ...]
    fault: NotationError | None
    notes: tuple[str, ...]
    others: Mapping[int, Sequence[Any]]
    game: Variant
    parts: tuple[Part, ...] = ()
    comments: Mapping[int, str] = {}

    def text(self, name: str) -> str:
        """Return the text of a property of the first node, or "" if the node does not have this property."""
        raw = self.root.get(name, [b""])[0]
        text: str = sgf_grammar.simpletext_value(raw).decode("utf-8").strip()
        return text


def read_sgf(content: bytes | str, game: Variant | None, ply: int | None = None, number: int = 1) -> ParsedPosition:
    """Return the position after the main line of a game.

    - ``ply``: the ply at which to stop. Later moves are not checked.
    - ``number``: the number of the game in a collection, beginning with 1.
    - ``game``: the game; None for the game that our SGF states, or for the course's game.

    Raise NotationError if the game cannot be read or a move is illegal.
    """
    found, more = nth_game(content, number, game)
    first = found.start.ply - found.game.first_ply
    check_ply(ply, first, first + len(found.moves))
    at = len(found.moves) if ply is None else ply - first
    if at >= len(found.positions) and found.fault is not None:
        raise found.fault
    notes = [*found.notes, f"it has other games, and this is game {number}"] if more else found.notes
    return ParsedPosition(found.positions[at], found.game, found.positions[:at], notes=tuple(notes), parts=found.parts)


def read_games(content: bytes | str, game: Variant | None) -> Iterator[SgfGame | NotationError]:
    """Yield each game of a collection, or the reason why the game cannot be read.

    The parameter ``game`` is the same as for read_sgf(). Raise NotationError if the collection contains no game.
    """
    is_empty = True
    for tree in _trees(_decoded(content)):
        is_empty = False
        try:
            yield tree if isinstance(tree, NotationError) else _main_line(tree, game)
        except NotationError as error:
            yield error
    if is_empty:
        raise NotationError("damaged", "no SGF: it has no game, which begins with (;")


def beside_games(content: bytes | str) -> tuple[str, ...]:
    """Return the parts of a text that are before, between and after its games."""
    text, spans, at = _decoded(content), [], 0
    if SGF_BARE.match(text):
        return ()
    while begin := SGF_START.search(text, at):
        *_, (_, at, _) = _branches(text, begin.start())
        spans.append((begin.start(), at))
    return left_out(parts_of(text, spans)) if spans else ()


def _main_spans(text: str, number: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the main line of the game with this number. The first game has the number 1."""
    begin = SGF_START.search(text)
    for _ in range(number - 1):
        # Skip the earlier games. All earlier games are valid, because sgfmill has already found the end of each game.
        *_, (_, end, _) = _branches(text, begin.start() if begin else 0)
        begin = SGF_START.search(text, end)
    if begin is None:
        yield 0, len(text)
        return
    at = begin.start()
    for first, last, is_main in _branches(text, at):
        if is_main:
            yield at, last
        else:
            yield at, first
        at = last


def _branches(text: str, begin: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the span of each variation of a game with False, and then the span of the whole game with True."""
    # The list states for each open bracket whether a variation inside it has ended.
    ended: list[bool] = []
    aside = None
    for token in _STRUCTURE.finditer(text, begin):
        if token[0] == "(":
            if aside is None and ended and ended[-1]:
                aside = (token.start(), len(ended))
            ended.append(False)
        elif token[0] == ")":
            ended.pop()
            if not ended:
                yield begin, token.end(), True
                return
            ended[-1] = True
            if aside is not None and len(ended) == aside[1]:
                yield aside[0], token.end(), False
                aside = None
    yield begin, len(text), True


def nth_game(content: bytes | str, number: int, game: Variant | None) -> tuple[SgfGame, bool]:
    """Return the game of a collection with this number, and whether the collection contains other games.

    The parameter ``game`` is the same as for read_sgf(). Raise NotationError if the game does not exist or is invalid.
    """
    count = 0
    chosen = None
    text = _decoded(content)
    whole = _in_brackets(text)
    for count, tree in enumerate(_trees(text), 1):
        if chosen is not None:
            return chosen, True
        if count == number:
            if isinstance(tree, NotationError):
                raise tree
            added = (len(whole) - len(text)) // 2
            spans = ((max(0, begin - added), min(len(text), end - added)) for begin, end in _main_spans(whole, number))
            chosen = _main_line(tree, game)._replace(parts=parts_of(text, spans))
    if chosen is None:
        few = f"it has {count} game{'s' if count > 1 else ''}, and no game {number}"
        raise NotationError("damaged", few if count else "no SGF: it has no game, which begins with (;")
    return chosen, number > 1


def _decoded(content: bytes | str) -> str:
    """Decode the content of a file with the codec that it names, or else as UTF-8 or Latin-1."""
    if len(content) > MOST_SGF_BYTES:
        raise NotationError("damaged", f"longer than {MOST_SGF_BYTES // 1_000_000} MB")
    if isinstance(content, str):
        return content
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    if stated := _CHARSET.search(content):
        try:
            codec = codecs.lookup(stated[1].decode("ascii")).name
        except LookupError:
            codec = ""
        if _CODECS.match(codec):
            return content.decode(codec, "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _in_brackets(text: str) -> str:
    """Put brackets around a text that begins with a node instead of a bracket. Return any other text unchanged."""
    return f"({text})" if SGF_BARE.match(text) else text


def _trees(text: str) -> Iterator[Any]:
    """Yield each game of a text as a tree of sgfmill with values in UTF-8, or the reason why it is not a game."""
    text = _in_brackets(text)
    begin = SGF_START.search(text)
    content = _NAME.sub(_standard_name, text[begin.start() :] if begin else "").encode("utf-8", "replace")
    at = 0
    while (tokens := sgf_grammar.tokenise(content, at))[0]:
        try:
            yield sgf_grammar.parse_sgf_game(content[at : tokens[1]])
        except ValueError as error:
            yield NotationError("damaged", f"not SGF: {error}")
        at = tokens[1]


def _standard_name(match: "re.Match[str]") -> str:
    """Return the FF[4] name of a property, a single blank for blanks, or an unchanged value."""
    name = match[0]
    if name.startswith("["):
        return name
    if name[0] in BLANKS:
        return " "
    capitals = "".join(letter for letter in name if letter.isupper())
    return _NAMES.get(name.lower()) or capitals or name.upper()


#: The end of a comment whose closing bracket is missing, so that the comment contains the next move.
_OPEN_COMMENT = re.compile(r";\s*[BW]\s*\[[A-Za-z]{0,2}$")

#: The properties, except the comment, that contain a text about a game or a node.
_TITLES = ("GN", "GC", "EV", "N")


class _Walk:
    """The state of a walk along the main line of a game.

    - ``played``: the positions from the last set-up on.
    - ``stones``: the masks of Black's and White's stones before the next move.
    """

    def __init__(self, game: Variant) -> None:
        self.game = game
        self.played = [game.start]
        self.moves: list[int] = []
        self.fault: NotationError | None = None
        self.notes: list[str] = []
        self.stones = (0, 0)
        self.to_move: int | None = None
        self.stated_start: Position | None = None
        self.others: dict[int, list[Any]] = {}
        self.comments: dict[int, str] = {}
        self.titles: list[str] = []

    def note(self, node: Mapping[str, list[bytes]], part: str) -> None:
        """Append the comment of a node to earlier comments at the same move. Raise NotationError if a comment has no
        end.
        """
        if _OPEN_COMMENT.search(comment_of(node)):
            raise NotationError("damaged", "a comment lacks its ]: put it before the next move", part=f"{part}, C")
        self.titles += filter(None, (text_of(node, name) for name in _TITLES))
        number = len(self.moves)
        said = [self.comments.get(number, ""), comment_of(node)]
        self.comments[number] = "\n".join(filter(None, said))

    def set_up(self, node: Mapping[str, list[bytes]], part: str) -> None:
        """Put the stones of a node on the board, and store the side to move that the node states."""
        black, white = self.stones
        added = [_points(node.get(name, []), f"{part}, {name}") for name in ("AB", "AW", "AE")]
        if added[0] & added[1]:
            raise NotationError("damaged", "a point gets a black and a white stone", part=part)
        if (added[0] | added[1]) & added[2]:
            raise NotationError("damaged", "a point gets a stone and is made empty", part=part)
        every = added[0] | added[1] | added[2]
        self.stones = (black & ~every | added[0], white & ~every | added[1])
        if "LG" in node:
            # The SGF that we write also states the ply, the ko point and a PASS, for which SGF has no properties.
            with suppress(NotationError):
                self.stated_start = read_start(_value(node, "LG"), self.game)
        if "PL" in node:
            self.to_move = _colour(node["PL"][0], f"{part}, PL")

    def mover_in_comment(self) -> int | None:
        """Return the side to move that the comment on a set-up without PL states, or None if it states no side."""
        comment = "\n".join(filter(None, [*self.titles, self.comments.get(len(self.moves), "")]))
        if self.to_move is not None or not comment or self.stones == self.played[-1][:2]:
            return None
        mover = read_mover(Ports(comment), comment)
        return None if mover is None else 1 + int(mover)

    def settle(self, next_mover: int | None) -> None:
        """If the set-up changed the position, begin again with the new position.

        The parameter ``next_mover`` is the side of the next move, or None.
        """
        now, stated_start = self.played[-1], self.stated_start
        self.stated_start = None
        if stated_start is not None and stated_start[:2] == self.stones and stated_start.ply != now.ply:
            if self.fault is not None:
                raise self.fault
            self._begin(stated_start)
            return
        if self.stones == (now.black, now.white) and self.to_move in (None, now.mover):
            self.to_move = None
            return
        if self.fault is not None:
            raise self.fault
        mover = self.to_move if self.to_move is not None else next_mover
        placed = place(Position(*self.stones), mover, None, self.game)
        self._begin(placed.position)
        self.notes.append(f"its set-up does not contain the ply: taking the smallest, {placed.ply}")

    def _begin(self, start: Position) -> None:
        number = len(self.moves)
        moves = "the move" if number == 1 else f"the {number} moves"
        self.notes = [f"{moves} before its last set-up do{'es' * (number == 1)} not count"] if number else []
        if lines := sum(map(len, self.others.values())):
            self.notes.append(f"lines beside the moves before its last set-up are left out: {lines}")
        # Keep only the comments on the game and on the set-up.
        said = [self.comments.get(0, ""), self.comments.get(number, "") if number else ""]
        self.comments = {0: "\n".join(filter(None, said))}
        self.played, self.moves, self.to_move, self.others = [start], [], None, {}

    def play(self, colour: int, move: int, part: str) -> None:
        """Play a move. Raise NotationError if it is not the side's turn. No positions follow an illegal move."""
        start = self.played[0]
        if colour != 1 + (start.ply + len(self.moves)) % 2:
            name = ("Black", "White")[colour - 1]
            wanted = f"move {len(self.moves) + 1} is {name}'s, whose turn it is not"
            raise NotationError("wrong-colour", wanted, part=part)
        self.moves.append(move)
        if self.fault is not None:
            return
        try:
            self.played.append(self.played[-1].play(move))
        except IllegalMove as error:
            self.fault = illegal(self.played[-1], f"move {len(self.moves)}: {error}", part=part)
        self.stones = (self.played[-1].black, self.played[-1].white)


def _main_line(tree: Any, game: Variant | None) -> SgfGame:
    nodes = list(_main_nodes(tree))
    root, _ = nodes[0]
    sized = _check_game(root)
    walk = _Walk(_game_of(root, game))
    try:
        for number, (node, others) in enumerate(nodes):
            part = f"node {number + 1}"
            walk.set_up(node, part)
            for name, values in node.items():
                if name in ("B", "W"):
                    colour = "BW".index(name) + 1
                    for value in values:
                        walk.settle(colour)
                        walk.play(colour, _move(value, f"{part}, {name}"), f"{part}, {name}")
            walk.note(node, part)
            if others and not node.keys() & _SET_UP:
                moves = sum(len(node.get(name, [])) for name in "BW")
                walk.others.setdefault(len(walk.moves) - moves, []).extend(others)
        walk.settle(2 if _is_handicap(root) else walk.mover_in_comment())
    except NotationError as error:
        if error.fault == "off-board" and not sized:
            wanted = f"{error.wanted}; the game has no SZ, so it is on another board"
            raise NotationError("not-5x5", wanted, part=error.part) from None
        raise
    played, line = tuple(walk.played), tuple(walk.moves)
    notes = [*_komi_notes(root, walk.game), *walk.notes]
    comments = {number: said for number, said in walk.comments.items() if said}
    return SgfGame(root, played[0], line, played, walk.fault, tuple(notes), walk.others, walk.game, comments=comments)


def _main_nodes(tree: Any) -> Iterator[tuple[Mapping[str, list[bytes]], Sequence[Any]]]:
    """Yield the nodes of the main line of a tree of sgfmill, each with the variations of the node."""
    others: Sequence[Any] = ()
    while True:
        for node in tree.sequence:
            yield node, others
            others = ()
        if not tree.children:
            return
        tree, *others = tree.children


def _check_game(root: Mapping[str, list[bytes]]) -> bool:
    """Return whether the SGF states the size 5x5. Raise NotationError for another size or another kind of game."""
    size, kind = (_value(root, name) for name in ("SZ", "GM"))
    if kind not in ("", "1"):
        raise NotationError("other-game", f"{shown(kind)} is another game, and Go is 1", part="node 1, GM")
    if len(root.get("SZ", [])) > 1:
        raise NotationError("damaged", "it has two sizes: delete the wrong one", part="node 1, SZ")
    if size and not _SIZE.fullmatch(size):
        fault = "not-5x5" if re.fullmatch(r"\d+(:\d+)?", size) else "damaged"
        raise NotationError(
            fault, f"a board of size {shown(size)}, but only {SIZE} is possible here", part="node 1, SZ"
        )
    return bool(size)


def _value(node: Mapping[str, list[bytes]], name: str) -> str:
    return _bare(node.get(name, [b""])[0])


def _bare(raw: bytes) -> str:
    """Return the value of a property without its blanks."""
    return re.sub(f"[{BLANKS}]+", "", raw.decode("utf-8", "replace"))


def comment_of(node: Mapping[str, list[bytes]]) -> str:
    """Return the comment on a node, or "" if the node has no comment."""
    return text_of(node, "C")


def text_of(node: Mapping[str, list[bytes]], name: str) -> str:
    """Return the text of a property, or "" if the node does not have this property."""
    text: str = sgf_grammar.text_value(b"\n".join(node.get(name, []))).decode("utf-8", "replace").strip()
    return text


def _is_handicap(root: Mapping[str, list[bytes]]) -> bool:
    """Return whether Black has handicap stones, so that White moves first."""
    return _value(root, "HA").isdecimal() and int(_value(root, "HA")[:3]) > 1


def _game_of(root: Mapping[str, list[bytes]], asked: Variant | None) -> Variant:
    """Return the game that the SGF states if we wrote it, and otherwise the game that the user asks about.

    An impossible komi is ignored, because other programs replace the komi in our games with their own komi. Raise
    NotationError if the length is invalid, or if the user asks about another game.
    """
    known = asked or COURSE
    ours = _OUR_RULES.fullmatch(_value(root, "RU"))
    if ours is None:
        return known
    named = Variant(int(ours[1]), known.komi)
    try:
        named.check()
        stated = named._replace(komi=_komi(root, known.komi))
        with suppress(ValueError):
            stated.check()
            named = stated
    except ValueError as error:
        raise NotationError("other-game", str(error), part="node 1, RU") from None
    return same_game(named, asked)


def _komi(root: Mapping[str, list[bytes]], otherwise: float) -> float:
    """Return the komi of a game, or ``otherwise`` if the game states no komi or an invalid komi."""
    try:
        komi: float = sgf_properties.interpret_real(_value(root, "KM").encode())
    except ValueError:
        return otherwise
    return komi


def _komi_notes(root: Mapping[str, list[bytes]], game: Variant) -> tuple[str, ...]:
    komi = _komi(root, game.komi)
    return () if komi == game.komi else (f"it states komi {komi:g}, and what is said here is for komi {game.komi:g}",)


def _colour(raw: bytes, part: str) -> int:
    value = raw.decode("utf-8", "replace").strip(BLANKS).lower()
    if value not in ("b", "w", "black", "white", "1", "2"):
        raise NotationError("damaged", f"{shown(value)} is not a colour: write B or W", part=part)
    return 1 if value[0] in "b1" else 2


def _points(values: list[bytes], part: str) -> int:
    """Return the mask of a list of points and rectangles. Raise NotationError if a point is invalid."""
    mask = 0
    for value in values:
        first, _, last = _bare(value).partition(":")
        if not first:
            continue
        (top, left), (bottom, right) = (divmod(_on_board(corner, part), SIZE) for corner in (first, last or first))
        for row in range(top, bottom + 1):
            mask |= ((1 << max(0, right + 1 - left)) - 1) << (SIZE * row + left)
    return mask


def _move(raw: bytes, part: str) -> int:
    value = raw.decode("utf-8", "replace").strip(BLANKS)
    return PASS if value in ("", "tt") else _on_board(value, part)


def _on_board(value: str, part: str) -> int:
    try:
        # The library sgfmill counts rows from the bottom, and returns None for a pass, which is not a point.
        row, column = sgf_properties.interpret_go_point(value.encode(), SIZE) or (SIZE, 0)
    except ValueError:
        row = SIZE
    if row == SIZE:
        fault = "off-board" if _POINT.fullmatch(value) else "not-a-move"
        raise NotationError(
            fault, f"{shown(value)} is not a point of this board: write two letters from a to e", part=part
        )
    return (SIZE - 1 - row) * SIZE + column


def new_sgf(game: Variant) -> Any:
    """Return a game of sgfmill without moves, which states the komi, and the name of our rules with the length."""
    made = sgf.Sgf_game(size=SIZE, encoding="UTF-8")
    made.get_root().set("KM", game.komi)
    made.get_root().set("RU", _RULES.format(game.plies))
    return made


def add_move(node: Any, ply: int, move: int) -> None:
    """Write the move that is played at this ply into a node of sgfmill."""
    row, column = divmod(move, SIZE)
    # The library sgfmill counts rows from the bottom.
    node.set_move("bw"[ply % 2], None if move == PASS else (SIZE - 1 - row, column))


def move_in(node: Any) -> int | None:
    """Return the move of a node of sgfmill, or None if the node has no move on this board."""
    for name in ("B", "W"):
        if node.has_property(name):
            with suppress(NotationError):
                return _move(node.get_raw(name), name)
    return None


def set_up(node: Any, position: Position, game: Variant) -> None:
    """Set up a position in a node of sgfmill. The property LG contains the ply, the ko point and a PASS."""
    stones = ({(SIZE - 1 - point // SIZE, point % SIZE) for point in points_of(mask)} for mask in position[:2])
    node.set_setup_stones(*stones)
    node.set("PL", "bw"[position.ply % 2])
    node.set_raw("LG", start_text(position, game).encode())


def add_line(node: Any, line: Any) -> None:
    """Add a variation of another game below a node. The variation is a tree of sgfmill with branches and properties."""
    left = [(node, line)]
    while left:
        node, line = left.pop()
        for properties in line.sequence:
            node = node.new_child()
            for name, values in properties.items():
                node.set_raw_list(name, values)
        left += [(node, branch) for branch in reversed(line.children)]
