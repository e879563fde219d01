"""The lines around a drawn board that contain the mover, the plies, a PASS, the komi, the last move or captures.

A line counts only if the whole of it has a known form: ours (``query``, ``play``, ``review``, ``showboard``, the page),
GNU Go's, KataGo's, GoGui's, or Sensei's Library's. Every other line is left out, whatever words are in it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from notation.faults import NotationError, shown
from notation.placed import stated_game
from solver.family import COURSE, Variant

_COLOUR = r"black(?: \(x\))?|white(?: \(o\))?|x|o"
_NUMBER = "[0-9]{1,3}"
_KOMI = r"-?[0-9]{1,2}(?:\.[0-9]{1,2})?"
_STONES = "(?:stones?|pieces?)"

#: The known forms, each with what its groups contain.
#: mover: the side to move. last: the side that moved last. ply, next: plies played, and the one to be played.
#: plies, komi: the game's. passed: a PASS, if the group is not empty. stop: the last move, if it was a PASS.
#: point: its vertex otherwise. ko: the ko point. over: the game is over.
#: blacks, whites: captured stones of that side. on_black, on_white: stones on the board.
#: heading: a length or komi that no line has is the course's. alone: a PASS that is not there was none.
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
        rf"white \(o\) has captured (?P<blacks>{_NUMBER}) {_STONES}",
        rf"black \(x\) has captured (?P<whites>{_NUMBER}) {_STONES}",
        r"(?P<alone>)Last move: (?P<last>black|white) (?:(?P<stop>PASS)|(?P<point>[a-e][1-5]))",
        # KataGo's.
        rf"(?:= ?)?MoveNum: (?P<ply>{_NUMBER}) HASH: [0-9A-F]{{1,64}}",
        rf"b stones captured: (?P<blacks>{_NUMBER})",
        rf"w stones captured: (?P<whites>{_NUMBER})",
        # GoGui's.
        rf"Prisoners: b (?P<blacks>{_NUMBER}) {{1,2}}w (?P<whites>{_NUMBER})",
    )
)
#: Each of them has one of these words, and is no longer.
_WORD = re.compile(r"ply|plies|move|play|turn|next|over|ended|captured|prisoners", re.ASCII | re.IGNORECASE)
_LONGEST = 160

#: The sides of a diagram of Sensei's Library: who plays first.
_SENSEI = re.compile(r"\$\$([BW])?[0-9]{0,3}(?:m[0-9]{1,3})?c?(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
_HEAD = re.compile(
    r"(?:0 *1 *2 *3 *4|1 *2 *3 *4 *5|a *b *c *d *e)(?P<rest> {2,}[^ ].*)?", re.ASCII | re.IGNORECASE | re.DOTALL
)

_COLUMNS = "ABCDE"


class Context(NamedTuple):
    """What the lines around a board contain; None where no line contains it.

    mover: 1 = Black, 2 = White. ply: plies played. plies, komi: the game's length and komi. heading: whether a line is
    ours, which names another game than the course's. captured: stones of Black
    and of White that were captured. stones: those on the board. last: the last stone's side and its point.
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
        """Add what one more line contains; raises NotationError where another line contradicts it."""
        for name, value in found.items():
            if getattr(self, name) not in (None, value):
                raise NotationError("ambiguous", f"{shown(line)} contradicts another line around the board")
        return self._replace(**found)

    def game(self, asked: Variant | None) -> Variant:
        """Return the game that is named, or the one asked about, or the course's; raises NotationError."""
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
    """Return the line around a printed board that names another game than the course's; none of the course's.

    >>> game_line(COURSE), game_line(Variant(8, 0.5))
    ([], ['Game: 8 plies, komi 0.5'])
    """
    return [] if game == COURSE else [f"Game: {game}"]


def read_line(line: str) -> Mapping[str, Any] | None:
    """Return what a line contains that has a known form, by the names of ``Context``; None of any other line."""
    if len(line) > _LONGEST or _WORD.search(line) is None:
        return None
    match = next((match for form in _FORMS if (match := form.fullmatch(line))), None)
    return None if match is None else dict(_facts(match.groupdict()))


def read_head(line: str) -> int | None:
    """Return how many characters of a line are the columns' names or Sensei's mark; None if it begins with neither."""
    match = _SENSEI.match(line) or _HEAD.fullmatch(line)
    if match is None:
        return None
    return match.end() if match.re is _SENSEI else len(line) - len(match["rest"] or "")


def sensei_mover(line: str) -> int | None:
    """Return the side that Sensei's mark at the beginning of a line names."""
    match = _SENSEI.match(line)
    return None if match is None or match[1] is None else _colour(match[1])


def _facts(found: Mapping[str, str | None]) -> Iterator[tuple[str, Any]]:
    """Yield what the groups of a form contain, by the names of ``Context``."""
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
