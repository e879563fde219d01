"""What is known of positions while questions are answered: what sources state, what follows, and what a search found.

A statement counts for the position that it is about, and its best moves carry the mover's end of the statement's own
bounds to the positions after them. No statement is merged with another before that, so no move comes to stand beside
a bound that it does not keep.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from book.answers.sources import BY_MOVES, BY_POSITION, KERNEL, RULES, Source
from book.store.facts import Choice, Origin, Statement, contradiction
from solver.answer import LEAST, MOST, Answer, Bounds, Ends
from solver.bounds import UNKNOWN, after_move, best_of, meet, met
from solver.family import Variant
from solver.position import Position
from solver.symmetry import Turned, canonical_key

_Origins: TypeAlias = tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class KnownBounds(Ends):
    """The bounds known of a position's value, and their sources."""

    lo: int = field()
    hi: int = field()
    #: The game, whose komi decides who wins.
    game: Variant
    #: The sources of each end; none for an end that holds for every position.
    lo_from: _Origins = ()
    hi_from: _Origins = ()
    #: The sources that state enough to name the winner.
    winner_from: _Origins = ()
    #: The sources that have the position, whatever they state of it.
    named: _Origins = ()
    #: Positions searched for it in this session.
    nodes: int = 0

    @property
    def winner(self) -> int | None:
        """The colour that wins the game (1 = Black, 2 = White), or None when the ends do not tell."""
        return self.game.winner(self)

    @property
    def answer(self) -> Answer:
        """The bounds without a move."""
        return Answer(self.lo, self.hi, None, self.nodes)

    @property
    def is_known(self) -> bool:
        """Whether a source has the position, or more is known than holds for every position."""
        return bool(self.named) or self.lo > LEAST or self.hi < MOST

    def told(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> "KnownBounds":
        """Return this with one more statement; equal ends have the origins of both.

        key: the position's, for what is raised: Contradiction when both cannot be true.
        """
        lo, hi = meet(self, said)
        by_lo = _end_from(self.lo, self.lo_from, said.lo, lo_from, LEAST)
        by_hi = _end_from(-self.hi, self.hi_from, -said.hi, hi_from, -MOST)
        if lo > hi:
            raise contradiction(key, Bounds(lo=lo), Bounds(hi=hi), _names(by_lo), _names(by_hi), self.game)
        winner, winner_from = self.game.winner(said), self.winner_from
        if winner is not None:
            winner_from = joined(winner_from, lo_from if winner == 1 else hi_from)
        return replace(self, lo=lo, hi=hi, lo_from=by_lo, hi_from=by_hi, winner_from=winner_from)

    def followed(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> "KnownBounds":
        """Return this with what follows from other bounds, or was searched: only an end that says more counts."""
        news = Bounds(said.lo if said.lo > self.lo else LEAST, said.hi if said.hi < self.hi else MOST)
        return self if news == Bounds() else self.told(key, news, lo_from, hi_from)


class Ledger:
    """What is known of positions, by canonical key: what sources and searches tell, and what follows from that.

    Public attributes: ``game``, whose komi decides who wins.
    """

    def __init__(self, sources: Sequence[Source], game: Variant) -> None:
        self.game = game
        self._sources = sources
        self._nothing = KnownBounds(LEAST, MOST, game)
        self._stated: dict[int, KnownBounds] = {}
        # In canonical orientation: what the sources state of each position that they were asked about since settle(),
        # and what searches have found.
        self._said: dict[int, list[Statement]] = {}
        self._found: dict[int, Answer] = {}
        # What settle() has kept.
        self._kept: dict[int, KnownBounds] = {}

    def at(self, key: int) -> KnownBounds:
        """Return what is known of the position of a canonical key, and ask nobody."""
        return self._stated.get(key) or self._kept.get(key, self._nothing)

    def known(self) -> Iterator[tuple[int, KnownBounds]]:
        """Yield the canonical keys of the positions of which something was told since settle(), and what is known."""
        return ((key, stated) for key, stated in self._stated.items() if stated.is_known)

    # Asking

    def ask(self, position: Position) -> int:
        """Ask each source about a position, unless that has been done since settle(); return its canonical key.

        Raises Contradiction when two sources cannot both be right.
        """
        turned = Turned.of(position)
        key = turned.key
        if key in self._said:
            return key
        self._said[key] = []
        if position.is_over:
            self._tell(key, Bounds(position.margin, position.margin), Origin(RULES))
            return key
        for said in (said for source in self._sources for said in source.said_of(position)):
            self._said[key].append(replace(said, best=tuple(turned.to[move] for move in said.best)))
            self._tell(key, said, said.origin)
            self._stated[key] = replace(self._stated[key], named=joined(self._stated[key].named, [said.origin]))
            for move in said.best:
                self._tell(canonical_key(position.play(move)), said.kept(position.black_to_move), said.origin)
        if (found := self._found.get(key)) is not None:
            self._take(position, turned, found)
        return key

    def ask_of_moves(self, position: Position) -> None:
        """Ask each source for what it keeps of a position's moves beside the positions after them."""
        for source in self._sources:
            for move, said in source.said_of_moves(position).items():
                self._follow(canonical_key(position.play(move)), said, [said.origin], [said.origin])

    def said(self, position: Position) -> list[Statement]:
        """Return the statements about a position that name moves, those best for the mover first; asks if need be."""
        key, turned = self.ask(position), Turned.of(position)
        said, found = self._said[key], self._found.get(key, UNKNOWN)
        if found.best is not None:
            said = [*said, Statement(found.lo, found.hi, (found.best,), Origin(KERNEL))]
        named = [replace(each, best=tuple(turned.back[move] for move in each.best)) for each in said if each.best]
        return sorted(named, key=lambda each: -each.reach(position.black_to_move))

    def choice(self, position: Position) -> Choice | None:
        """Return our player's move in a position that is not over, as the first source has it that knows one."""
        choices = (source.choice(position, self.game) for source in self._sources)
        return next((choice for choice in choices if choice is not None), None)

    # Telling

    def learn(self, position: Position, answer: Answer) -> None:
        """Take what a search has found of a position, and its move where it keeps the mover's end."""
        if position.is_over:
            return
        turned, black = Turned.of(position), position.black_to_move
        self._stated[turned.key] = replace(self.at(turned.key), nodes=answer.nodes)
        # Every move keeps the least value, so there a move is a guess.
        best = turned.to[answer.best] if answer.best is not None and answer.reach(black) > LEAST else None
        found = answer._replace(best=best)
        if found[:2] != UNKNOWN[:2]:
            self._found[turned.key] = met(black, self._found.get(turned.key, UNKNOWN), found)
            self._take(position, turned, found)

    def _take(self, position: Position, turned: Turned, found: Answer) -> None:
        """Take an answer in canonical orientation, where it says more than is known."""
        origins = [Origin(KERNEL)]
        self._follow(turned.key, found, origins, origins)
        if found.best is not None:
            after = canonical_key(position.play(turned.back[found.best]))
            self._follow(after, found.kept(position.black_to_move), origins, origins)

    def infer(self, position: Position, after: Sequence[int]) -> None:
        """Draw the conclusions for a position from what is known after all its moves, and for these from the position.

        after: the canonical keys of the positions after its moves; with none, nothing follows.
        """
        if after:
            self._infer_from_moves(position, dict.fromkeys(after))
            self._infer_for_moves(position, dict.fromkeys(after))

    def _infer_from_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, known = position.black_to_move, {key: self.at(key) for key in moves}
        follows = best_of(black, {key: stated.answer for key, stated in known.items()})
        keeper = max(known.values(), key=lambda stated: stated.reach(black))
        why, all_moves = [Origin(BY_MOVES)], known.values()
        kept = joined(why, keeper.lo_from if black else keeper.hi_from)
        capped = joined(why, (origin for each in all_moves for origin in (each.hi_from if black else each.lo_from)))
        self._follow(canonical_key(position), follows, *((kept, capped) if black else (capped, kept)))

    def _infer_for_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, here, why = position.black_to_move, self.at(canonical_key(position)), [Origin(BY_POSITION)]
        able = [key for key in moves if self.at(key).most(black) >= here.reach(black)]
        for key in moves:
            # If only one move can be worth as much as the position, it is.
            follows = after_move(black, here, is_best=able == [key])
            self._follow(key, follows, joined(why, here.lo_from), joined(why, here.hi_from))

    def _tell(self, key: int, said: Ends, origin: Origin) -> None:
        self._stated[key] = self.at(key).told(key, said, [origin], [origin])

    def _follow(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> None:
        self._stated[key] = self.at(key).followed(key, said, lo_from, hi_from)

    def settle(self, keys: Iterable[int]) -> None:
        """Keep what is known of some positions, and what searches have found; drop what sources can tell again."""
        self._kept.update((key, self.at(key)) for key in keys if self.at(key).is_known)
        self._stated.clear()
        self._said.clear()


def joined(origins: Iterable[Origin], others: Iterable[Origin]) -> _Origins:
    """Return all of them, each once."""
    return tuple(dict.fromkeys((*origins, *others)))


def _end_from(old: int, old_from: _Origins, new: int, new_from: Iterable[Origin], trivial: int) -> _Origins:
    """Return who states the better of two ends, more being better; both where they are equal, and not trivial."""
    if new > old:
        return tuple(new_from)
    return joined(old_from, new_from) if new == old > trivial else old_from


def _names(origins: Iterable[Origin]) -> str:
    return ", ".join(map(str, origins))
