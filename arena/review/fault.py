"""The faults that end a game: an illegal move, a missing move, or a move that took too long."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from little_go.arena.match.host import ILLEGAL, PLAYED_OUT, State
from little_go.book.answers.query import Knowledge
from little_go.notation.record import to_record
from little_go.solver.bounds import COLOURS
from little_go.solver.family import Variant
from little_go.solver.position import SIZE, Position, move_name, parse_move, points_of

_RESIGNED = "resigned"

_LAST = SIZE - 1


class _FaultWording(NamedTuple):
    """The texts that describe a kind of fault.

    kind: a verb phrase in the present tense. past: the phrase in the past tense. deed: a clause without its subject, in
    which MOVE stands for the move and TAKEN for the stone that the move would capture. rule: a sentence on the broken
    rule.
    """

    kind: str
    past: str
    deed: str
    rule: str


_WORDS = {
    f"{ILLEGAL}occupied": _FaultWording(
        "plays on an occupied point",
        "played on a point that has a stone",
        "played MOVE, where there is a stone already",
        "A stone may only be put on an empty point.",
    ),
    f"{ILLEGAL}ko": _FaultWording(
        "breaks the ko rule",
        "broke the ko rule",
        "played MOVE to take TAKEN, which had just taken a stone at MOVE: this repeats the board before that capture",
        "A stone that has just taken a single stone may not be taken back at once if that brings back the board as it "
        "was before (the ko rule): play somewhere else first.",
    ),
    f"{ILLEGAL}suicide": _FaultWording(
        "plays a suicide",
        "played a suicide",
        "played MOVE, where its stone would have no empty point beside it and would take nothing",
        "Stones that touch each other share the empty points beside them. A move that takes nothing must leave its own "
        "stones at least one (no suicide).",
    ),
    f"{ILLEGAL}off_board": _FaultWording(
        "plays off the board",
        "played off the board",
        "played MOVE, which is not on the board",
        f"Rows and columns are numbered from 0 to {_LAST}.",
    ),
    "malformed": _FaultWording(
        "writes something that is not a move",
        "gave an answer that is not a move",
        "gave an answer that is not a move",
        "output.txt must contain one move: row and column, as in 2,3, or the word PASS.",
    ),
    "missing": _FaultWording(
        "writes no move",
        "wrote no move",
        "wrote no move",
        "The program must write its move to output.txt before it ends. If it ends without a move, it has lost.",
    ),
    "timeout": _FaultWording(
        "takes too long",
        "took too long for a move",
        "took too long for its move",
        "The host stops a program that exceeds a limit of time. If it has written no move by then, it has lost.",
    ),
    _RESIGNED: _FaultWording(
        "resigns a won game",
        "resigned a won game",
        "resigned",
        "A player who resigns has lost, even in a won position.",
    ),
    "forfeit": _FaultWording(
        "forfeits the game",
        "forfeited the game",
        "lost by a fault that the record does not contain",
        "The record contains only the result.",
    ),
}


@dataclass(frozen=True)
class Fault:
    """A fault that ended a game.

    ply: the ply of the fault, from 1. position: the position before the fault. move: the illegal move, or "". reason,
    detail: the fields of the host's Result. before: the knowledge of the position; None if the position was not
    searched. game: the game's length and komi.
    """

    ply: int
    position: Position
    move: str
    reason: str
    detail: str
    before: Knowledge | None
    game: Variant

    @property
    def cost(self) -> int:
        """The points that the fault gave away: always 0, because only moves lose points."""
        return 0

    @property
    def mover(self) -> int:
        """The colour that lost the game by the fault: 1 for Black, 2 for White."""
        return self.position.mover

    @property
    def point(self) -> int | None:
        """The point of the illegal move; None if the move is off the board or if there is no move."""
        try:
            return parse_move(self.move)
        except ValueError:
            return None

    @property
    def decisive(self) -> bool:
        """Whether the fault changed the winner, because the side at fault had a proven win."""
        return self.before is not None and self.before.winner == self.mover

    @property
    def kind(self) -> str:
        """The kind of fault, as a verb phrase in the present tense."""
        return self._words.kind

    @property
    def past(self) -> str:
        """The kind of fault, as a verb phrase in the past tense."""
        return self._words.past

    @property
    def deed(self) -> str:
        """A clause on what the player did, such as ``Black played 2,2, where there is a stone already``."""
        told = self._words.deed.replace("MOVE", self.move)
        if "TAKEN" in told:
            told = told.replace("TAKEN", self._taken)
        return f"{COLOURS[self.mover]} {told}{f': {self.detail}' if self.detail and not self.move else ''}"

    @property
    def rule(self) -> str:
        """A sentence on the rule that was broken."""
        return self._words.rule

    @property
    def effect(self) -> str:
        """A sentence on what the fault cost."""
        name = COLOURS[self.mover]
        if self.before is None or self.before.winner is None:
            return "It lost the game at once; who was winning is not proven."
        standing = "was winning" if self.decisive else "was losing already"
        return f"It lost the game at once; {name} {standing} ({self.before.worth})."

    def record(self) -> dict[str, Any]:
        """Return the fault as a dictionary for JSON."""
        return {
            "ply": self.ply,
            "mover": COLOURS[self.mover],
            "move": self.move or None,
            "reason": self.reason,
            "detail": self.detail,
            "kind": self.kind,
            "rule": self.rule,
            "was_winning": None if self.before is None or self.before.winner is None else self.decisive,
            "position": to_record(self.position, self.game),
        }

    @property
    def _taken(self) -> str:
        """The name of the stone that the move would capture if ko did not forbid the move."""
        before = self.position._replace(ko=None)
        after = before.play(parse_move(self.move))
        fallen = (before.black & ~after.black) | (before.white & ~after.white)
        return ", ".join(move_name(point) for point in points_of(fallen))

    @property
    def _words(self) -> _FaultWording:
        return _WORDS.get(self.reason) or _FaultWording(
            "writes no move", "wrote no move", f"wrote no move ({self.reason})", ""
        )


#: All kinds of faults.
FAULT_KINDS = tuple(dict.fromkeys(words.kind for words in _WORDS.values()))


def fault_kind(reason: str) -> str:
    """Return the kind of fault that belongs to a reason of the host.

    >>> fault_kind("invalid_ko")
    'breaks the ko rule'
    """
    return _WORDS[reason].kind


def fault_past(reason: str) -> str:
    """Return the kind of fault for a reason of the host, as a verb phrase in the past tense.

    >>> fault_past("invalid_occupied")
    'played on a point that has a stone'
    """
    return _WORDS[reason].past


def fault_in(state: State, before: Knowledge | None = None) -> Fault | None:
    """Return the fault that ended a game; None if the game was played out or is unfinished.

    before: the knowledge of the last position, or None. Resigning is a fault only if this knowledge proves that the
    player was winning.
    """
    result, position = state.result, state.position
    if result is None or result.reason in PLAYED_OUT:
        return None
    if result.reason == _RESIGNED and (before is None or before.winner != position.mover):
        return None
    illegal = result.reason.startswith(ILLEGAL)
    ply, move = position.ply - state.game.first_ply + 1, state.moves[-1] if illegal else ""
    return Fault(ply, position, move, result.reason, result.detail, before, state.game)
