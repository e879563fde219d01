"""Draw an exam: positions of the atlas, the puzzles and the logged games, by theme and difficulty.

The exam of a game other than the course's has positions from games between simple built-in agents. Such an exam does
not use the book and the puzzles, which belong to the course's game.

Each position belongs to a single theme. If Black's last move gave the win to White, the theme is White's chances; if
only PASS wins, the theme is passes.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from little_go.arena.agents import aggressive, alphabeta, championship, greedy, qlearning, random
from little_go.arena.exam.hypotheses import winning_moves
from little_go.arena.exam.paper import (
    BOARD_BEFORE,
    CAPTURES,
    CHANCES,
    DIFFICULTIES,
    ENDGAMES,
    FORMAT,
    LEGAL,
    NO_KOMI,
    ONLY_MOVES,
    OPENINGS,
    OTHER_COLOUR,
    PASS_WINS,
    RULES,
    TOPICS,
    WIN,
    ExamQuestion,
    acceptable,
    needs_the_capture,
)
from little_go.book.answers.reasons import ExactOracle, explained
from little_go.book.files.games import STAFF_GAMES
from little_go.book.files.games import read_games as read_logged
from little_go.book.files.puzzles import read_puzzles, themes_of
from little_go.book.files.reader import MoveBook, read_book
from little_go.book.files.shipped import VALUES
from little_go.book.files.values import PLY_SIZES, read_values
from little_go.crew.workers import WorkerPool
from little_go.generator.opponents.population import open_population, times, total
from little_go.runtime.display import Watch, unwatched
from little_go.runtime.options import cores
from little_go.runtime.release import shipped
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import FULL, PASS, START, Position, parse_moves, play_all, points_of
from little_go.solver.symmetry import canonical_key

#: For each built-in agent, the strongest first, a function that returns the moves that the agent considers equally
#: good.
BUILT_IN: dict[str, Callable[[Position, Variant], list[int]]] = {
    "championship": championship.candidates,
    "qlearning": lambda position, _: qlearning.candidates(position),
    "alphabeta": lambda position, _: alphabeta.equals(position)[-1:],
    "aggressive": lambda position, _: aggressive.candidates(position),
    "greedy": lambda position, _: greedy.candidates(position),
    "random": lambda position, _: random.candidates(position),
}

#: The players in games of another length or komi, and the number of such games.
_PLAYERS, _GAMES = ("alphabeta", "aggressive", "greedy", "random"), 1200

#: The probability that a player in these games plays a random legal point. Without random moves, most games between two
#: players would begin alike.
_FREE = 0.2

#: The numbers of plies before a position that is used for questions about openings.
_OPENING = range(1, 6)

#: The number of questions of each topic.
COUNTS: dict[tuple[str, str], int] = {
    **dict.fromkeys(((RULES, topic) for topic in TOPICS[RULES]), 5),
    (RULES, "capture that makes a move legal"): 8,
    (RULES, "both colours"): 14,
    (FORMAT, "heaviest of its ply"): 23,
    (OPENINGS, "as Black"): 14,
    (OPENINGS, "as White"): 14,
    (ONLY_MOVES, "connect"): 12,
    (ONLY_MOVES, "self-atari"): 6,
    (ONLY_MOVES, "other"): 18,
    (CAPTURES, "capture"): 13,
    (CAPTURES, "rescue"): 14,
    **{(ENDGAMES, topic): 10 for topic in TOPICS[ENDGAMES]},
    (PASS_WINS, "ends the game"): 8,
    (PASS_WINS, "gives the turn away"): 8,
    (CHANCES, "opening"): 8,
    (CHANCES, "middle game"): 12,
    (CHANCES, "endgame"): 12,
}

#: The numbers of plies left in questions about only moves, captures and rescues, and the maximum number of plies left
#: in all positions from games. The player's own solver can solve such positions.
_MIDDLE, _MOST_LEFT = range(9, 15), 14

#: The number of puzzles that are examined before the games.
_PUZZLES = 100

#: The number of candidates for each question of a topic, so that every difficulty has candidates.
_CHOICE = 3

#: The maximum number of right moves in a question about captures or rescues, and the maximum share of right moves in
#: any other question.
_FEW, _SHARE = 2, 0.5

#: The number of positions of each ply, the ones with the most legal moves, whose continuations of three plies are
#: counted.
_HEAVY = 8

#: The first moves before the question about White's first ply.
_FIRST_MOVES = ("", "2,2", "1,2", "1,1", "0,0")

#: The minimum number of points that are suicide, and their minimum share of all empty points.
_SUICIDES, _SUICIDE_SHARE = 3, 0.5

_TABLE_MIB = 256

#: The number of logged games among which whole games are chosen, the number of whole games in the exam, and the topic
#: of a call that fits no other topic.
_LOOKED_AT, _WHOLE_GAMES, _PLAIN_CALL = 800, 26, "call of a whole game"

#: A number that exceeds the number of questions of every topic.
_ANY = 1 << 20

#: The maximum number of plies left in positions for which the moves of a player who misreads the game are also
#: computed.
_VIEWED = 15

#: A position, the moves that lead to it, and its origin.
_Found: TypeAlias = tuple[Position, tuple[int, ...], str]


@dataclass
class _Topic:
    """The candidates for the questions of a topic, and the number of questions that the topic needs."""

    wanted: int
    found: list[ExamQuestion] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether the topic has enough candidates to choose from."""
        return len(self.found) >= self.wanted * _CHOICE

    def chosen(self) -> list[ExamQuestion]:
        """Return the topic's questions, distributed over the difficulties as evenly as possible."""
        groups = {name: [each for each in self.found if each.difficulty == name] for name in DIFFICULTIES}
        taken = [each for at in range(self.wanted) for group in groups.values() for each in group[at : at + 1]]
        return sorted(taken[: self.wanted], key=lambda each: each.wrong)


class Examiner:
    """The drawing of an exam's questions, with one table for all searches."""

    def __init__(self, seed: int, game: Variant) -> None:
        """Prepare the drawing. seed: determines the order of positions, and the games between agents."""
        self._game = game
        self._kernel = Kernel(open_table(_TABLE_MIB))
        self._population = open_population(game)
        self._book: MoveBook = read_book(str(shipped("book.json")), game=COURSE)
        self._atlas = read_values(VALUES)
        self._random = Random(seed)
        self._topics = {each: _Topic(count) for each, count in COUNTS.items()}
        self._used: set[tuple[int, str]] = set()

    def draw(self, watch: Watch = unwatched) -> list[ExamQuestion]:
        """Return the questions, with the shares of points that the built-in agents get.

        watch: wraps the positions to show the progress.
        """
        course = self._game == COURSE
        games = self._games() if course else self._played_games()
        self._draw_rules(games)
        self._draw_heavy(games)
        self._draw_openings(None if course else games)
        middle = [each for each in games if each[0].left <= _MOST_LEFT]
        self._draw_last_passes(middle)
        for found in watch([*(self._puzzles(middle)[:_PUZZLES] if course else []), *middle]):
            self._look(found)
        chosen = [question for topic in self._topics.values() for question in topic.chosen()]
        if course:
            chosen += self._draw_whole_games(watch)
        numbered = [replace(question, number=number) for number, question in enumerate(chosen, 1)]
        with WorkerPool(cores()) as pool:
            return list(watch(pool.map(_finished, numbered)))

    # The sources of positions

    def _games(self) -> list[_Found]:
        found: dict[int, _Found] = {}
        for number, game in enumerate(read_logged(STAFF_GAMES), 1):
            way: list[int] = []
            for position, move in game.steps():
                found.setdefault(canonical_key(position), (position, tuple(way), f"logged game {number}"))
                way.append(move)
        positions = list(found.values())
        self._random.shuffle(positions)
        return positions

    def _played_games(self) -> list[_Found]:
        found: dict[int, _Found] = {}
        for number in range(1, _GAMES + 1):
            players = [BUILT_IN[self._random.choice(_PLAYERS)] for _ in range(2)]
            position, way = self._game.start, list[int]()
            while not position.is_over:
                legal = list(points_of(position.legal_points()))
                free = legal and self._random.random() < _FREE
                moves = legal if free else players[position.mover - 1](position, self._game)
                found.setdefault(canonical_key(position), (position, tuple(way), f"game {number} between agents"))
                way.append(self._random.choice(moves))
                position = position.play(way[-1])
        positions = list(found.values())
        self._random.shuffle(positions)
        return positions

    def _puzzles(self, games: Sequence[_Found]) -> list[_Found]:
        by_key = {canonical_key(position): (position, way) for position, way, _ in games}
        keys = [(number, canonical_key(puzzle.position)) for number, puzzle in enumerate(read_puzzles(), 1)]
        found = [(*by_key[key], f"puzzle {number}") for number, key in keys if key in by_key]
        self._random.shuffle(found)
        return found

    # The right moves of a position

    def _wins(self, position: Position, colour: int) -> bool:
        game = self._game
        if position.is_over:
            return game.leader(position) == colour
        known = self._atlas.get(position) if position.ply < len(PLY_SIZES) else None
        if known is None or game.winner(known) is None:
            known = self._kernel.decide(position, game.least)
        return game.winner(known) == colour

    def _winning(self, position: Position) -> list[int]:
        """Return the moves that keep the mover's win; an empty list if the mover has no win."""
        if not self._wins(position, position.mover):
            return []
        return [move for move in position.legal_moves() if self._wins(position.play(move), position.mover)]

    def _is_chance(self, found: _Found) -> bool:
        """Return whether Black's last move gave the win to White, who is to move."""
        position, way, _ = found
        if position.mover == 1 or not way or not self._wins(position, 2):
            return False
        return self._wins(play_all(self._game.start, way[:-1]), 1)

    # The choice of a question for a position

    def _add(self, found: _Found, theme: str, topic: str, asks: str, accepted: Sequence[int]) -> None:
        """Add a candidate, unless the candidate is already used or the topic has enough candidates."""
        position, way, source = found
        key = canonical_key(position), asks
        into = self._topics[theme, topic]
        if into.is_full or key in self._used:
            return
        self._used.add(key)
        wrong = 100 * (self._wrong(position, accepted) if asks == WIN else _illegal_share(position))
        into.found.append(ExamQuestion(0, theme, topic, source, way, asks, tuple(accepted), wrong, {}, {}, self._game))

    def _wrong(self, position: Position, winning: Sequence[int]) -> float:
        masses = self._population.chances(position, winning)
        chances = {move: total(times(self._population.weights, each)) for move, each in masses.items()}
        return sum(chance for move, chance in chances.items() if move not in winning)

    def _look(self, found: _Found) -> None:
        """Add a position to the theme that it fits, if any, among the themes about who wins."""
        position = found[0]
        themes = [PASS_WINS, *((ONLY_MOVES, CAPTURES) if position.left in _MIDDLE else (ENDGAMES,))]
        themes += [CHANCES] if position.mover == 2 else []
        if not any(map(self._is_open, themes)) or not position.legal_points():
            return
        accepted = self._winning(position)
        legal = position.legal_moves()
        if not accepted or len(accepted) > _SHARE * len(legal):
            return
        if accepted == [PASS]:
            self._add(found, PASS_WINS, TOPICS[PASS_WINS][not position.pass_ends], WIN, accepted)
        elif self._is_chance(found):
            if position.left > 2:
                self._add(found, CHANCES, "middle game" if position.left in _MIDDLE else "endgame", WIN, accepted)
        elif position.left in _MIDDLE:
            self._look_at_the_middle(found, accepted)
        elif (topic := f"{position.left} plies left") in TOPICS[ENDGAMES]:
            self._add(found, ENDGAMES, topic, WIN, accepted)

    def _is_open(self, theme: str) -> bool:
        return not all(topic.is_full for (about, _), topic in self._topics.items() if about == theme)

    def _look_at_the_middle(self, found: _Found, accepted: Sequence[int]) -> None:
        position = found[0]
        themes = [set(themes_of(position, move, accepted[0])) for move in accepted]
        alike = {canonical_key(position.play(move)) for move in accepted}
        if len(accepted) <= _FEW and all("rescue" in each for each in themes):
            self._add(found, CAPTURES, "rescue", WIN, accepted)
        elif len(accepted) <= _FEW and all("capture" in each for each in themes):
            self._add(found, CAPTURES, "capture", WIN, accepted)
        elif len(alike) == 1 and not any(each & {"capture", "rescue", "pass"} for each in themes):
            self._add(found, ONLY_MOVES, self._only_move_topic(position, accepted), WIN, accepted)

    def _only_move_topic(self, position: Position, accepted: Sequence[int]) -> str:
        masses = self._population.chances(position, accepted)
        chances = {move: total(times(self._population.weights, each)) for move, each in masses.items()}
        tempting = max((move for move in chances if move not in accepted), key=lambda move: chances[move])
        themes = themes_of(position, accepted[0], tempting)
        return next((topic for topic in TOPICS[ONLY_MOVES] if topic in themes), "other")

    def _draw_openings(self, games: Sequence[_Found] | None) -> None:
        """Add positions of the first plies from games. games: None for positions after play by the book."""
        for found in self._opening_positions() if games is None else games:
            position, way, _ = found
            if position.ply - self._game.first_ply not in _OPENING:
                continue
            accepted = self._winning(position) if way else []
            if not accepted or len(accepted) > _SHARE * len(position.legal_moves()):
                continue
            if self._is_chance(found):
                self._add(found, CHANCES, "opening", WIN, accepted)
            else:
                self._add(found, OPENINGS, f"as {'Black' if position.mover == 1 else 'White'}", WIN, accepted)

    def _opening_positions(self) -> list[_Found]:
        known = [position for position in self._book_positions() if 0 < position.ply < len(PLY_SIZES) - 1]
        self._random.shuffle(known)
        return [(position, self._some_way(position), "atlas") for position in known]

    def _book_positions(self) -> list[Position]:
        """Return the positions of the first plies that can arise if one side plays by the book, in canonical order."""
        reached = {0: {canonical_key(START): START}, 1: {canonical_key(START): START}}
        every = {START}
        for ply in range(len(PLY_SIZES) - 2):
            for colour in (0, 1):
                after: dict[int, Position] = {}
                for position in reached[colour].values():
                    entry = self._book.get(position) if ply % 2 == colour else None
                    moves = position.legal_moves() if ply % 2 != colour else [] if entry is None else [entry.move]
                    for child in map(position.play, moves):
                        if not child.is_over:
                            after.setdefault(canonical_key(child), child)
                reached[colour] = after
                if (ply + 1) % 2 == colour:
                    every |= {each for each in after.values() if self._book.get(each) is not None}
        return sorted(every, key=canonical_key)

    def _some_way(self, position: Position) -> tuple[int, ...]:
        """Return moves that lead to a position, in a random order; () if stones were captured."""
        if position.ko is not None or position.passed:
            return ()
        black, white = list(points_of(position.black)), list(points_of(position.white))
        if len(black) + len(white) != position.ply or len(black) != (position.ply + 1) // 2:
            return ()
        self._random.shuffle(black)
        self._random.shuffle(white)
        way = [side[at] for at in range(len(black)) for side in (black, white) if at < len(side)]
        try:
            return tuple(way) if play_all(START, way) == position else ()
        except ValueError:
            return ()

    def _draw_last_passes(self, games: Sequence[_Found]) -> None:
        """Add positions after an inserted PASS in which only a second PASS wins, because it ends the game."""
        theme, topic = PASS_WINS, "ends the game"
        for position, way, source in games:
            if self._topics[theme, topic].is_full:
                return
            if way and not position.passed and self._game.leader(position) != position.mover:
                passed = position.play(PASS)
                if not passed.is_over and passed.legal_points() and self._winning(passed) == [PASS]:
                    self._add((passed, (*way, PASS), f"{source}, played on"), theme, topic, WIN, [PASS])

    def _draw_heavy(self, games: Sequence[_Found]) -> None:
        """Add the position of each ply, except the first ply, with the most continuations of three plies."""
        by_ply: dict[int, list[_Found]] = {}
        for found in games:
            if found[1]:
                by_ply.setdefault(found[0].ply, []).append(found)
        for _, group in sorted(by_ply.items()):
            group.sort(key=lambda found: -len(found[0].legal_moves()))
            found = max(group[:_HEAVY], key=lambda found: _games_of(found[0], 3))
            self._add(found, FORMAT, "heaviest of its ply", LEGAL, self._acceptable(found[0]))

    # Whole games

    def _draw_whole_games(self, watch: Watch) -> list[ExamQuestion]:
        """Return questions from the logged games whose calls, as one colour, fit the most topics."""
        logged = [(number, game) for number, game in enumerate(read_logged(STAFF_GAMES), 1)]
        self._random.shuffle(logged)
        calls: list[list[ExamQuestion]] = []
        for number, game in watch(logged[:_LOOKED_AT]):
            founds, way = list[_Found](), list[int]()
            for position, move in game.steps():
                founds.append((position, tuple(way), f"logged game {number}"))
                way.append(move)
            if len(founds) == self._game.plies:
                calls += ([self._call(found) for found in founds[side::2]] for side in (0, 1))
        return self._chosen_games(calls)

    def _call(self, found: _Found) -> ExamQuestion:
        """Return a position as a question of a topic that it fits, or else as a question about legal moves."""
        position, way, source = found
        self._topics, self._used = {each: _Topic(_ANY) for each in COUNTS}, set()
        if position.left <= _MOST_LEFT:
            self._draw_rules([found])
            self._look(found)
        else:
            self._draw_openings([found])
        fits = [each for topic in self._topics.values() for each in topic.found if (each.way, each.source) == found[1:]]
        fits.sort(key=lambda each: each.asks == LEGAL)
        legal, wrong = tuple(self._acceptable(position)), 100 * _illegal_share(position)
        plain = ExamQuestion(0, FORMAT, _PLAIN_CALL, source, way, LEGAL, legal, wrong, {}, {}, self._game)
        return next(iter(fits), plain)

    def _chosen_games(self, calls: list[list[ExamQuestion]]) -> list[ExamQuestion]:
        """Return the games, half of the games for each colour, that add the most to topics with few questions."""
        counts: Counter[str] = Counter()
        chosen: list[list[ExamQuestion]] = []
        for at in range(_WHOLE_GAMES):
            of_colour = [each for each in calls if each[0].position.mover == 1 + at % 2 and each not in chosen]
            best = max(of_colour, key=lambda game: sum(_gain(each, counts) for each in game))
            counts.update(each.topic for each in best)
            chosen.append(best)
        return [replace(each, sitting=number) for number, game in enumerate(chosen, 1) for each in game]

    # The rules

    def _acceptable(self, position: Position) -> list[int]:
        return acceptable(position, self._game)

    def _wants(self, topic: str) -> bool:
        return not self._topics[RULES, topic].is_full

    def _draw_rules(self, games: Sequence[_Found]) -> None:
        late = [each for each in games if each[0].left <= _MOST_LEFT]
        for line in _FIRST_MOVES:
            way = tuple(parse_moves(line))
            position = play_all(self._game.start, way)
            self._add((position, way, "first moves"), RULES, "first ply", LEGAL, self._acceptable(position))
        for found in late:
            position = found[0]
            empty = FULL & ~(position.black | position.white)
            legal = position.legal_points()
            if not legal and not position.passed and empty:
                self._add(found, RULES, "no move but PASS", LEGAL, self._acceptable(position))
            suicides = (empty & ~legal).bit_count() - (position.ko is not None)
            if legal and suicides >= max(_SUICIDES, _SUICIDE_SHARE * empty.bit_count()):
                self._add(found, RULES, "suicide", LEGAL, self._acceptable(position))
            if position.ko is not None:
                self._look_at_a_ko(found)
            self._look_at_both_colours(found)
            if self._wants("capture that makes a move legal"):
                self._look_at_a_capture(found)
            if position.left == 1 and self._wants("last ply"):
                accepted = self._winning(position)
                if accepted != [PASS] and 0 < len(accepted) <= _SHARE * legal.bit_count():
                    self._add(found, RULES, "last ply", WIN, accepted)

    def _look_at_a_ko(self, found: _Found) -> None:
        """Add a position in which a forbidden recapture looks best, and a later one in which only a recapture wins."""
        position, way, source = found
        ko = position.ko
        free = position._replace(ko=None)
        if ko is None or greedy.candidates(free) != [ko]:
            return
        if self._wants("forbidden recapture") and self._wins(free.play(ko), position.mover):
            self._add(found, RULES, "forbidden recapture", LEGAL, self._acceptable(position))
        if not self._wants("recapture allowed later"):
            return
        for move in position.legal_moves():
            after = position.play(move)
            for reply in after.legal_moves():
                later = after.play(reply)
                if later.is_over:
                    continue
                if ko in greedy.captures(later) and self._winning(later) == [ko]:
                    played_on = later, (*way, move, reply), f"{source}, played on"
                    self._add(played_on, RULES, "recapture allowed later", WIN, [ko])
                    return

    def _look_at_a_capture(self, found: _Found) -> None:
        """Add a position in which the only winning move would be suicide if it captured nothing."""
        position = found[0]
        free = [move for move in greedy.captures(position) if needs_the_capture(position, move)]
        if free and self._winning(position) == free[:1]:
            self._add(found, RULES, "capture that makes a move legal", WIN, free[:1])

    def _look_at_both_colours(self, found: _Found) -> None:
        """Add a board twice, once with each side to move, if the two sides have different winning moves."""
        position, way, source = found
        topic, passed = self._topics[RULES, "both colours"], position.play(PASS)
        if len(topic.found) >= topic.wanted or position.mover != 1 or position.left < 2 or position.passed:
            return
        mine, theirs = self._winning(position), self._winning(passed)
        for winning, at in ((mine, position), (theirs, passed)):
            if not winning or PASS in winning or len(winning) > _SHARE * len(at.legal_moves()):
                return
        if set(mine).isdisjoint(theirs) and set(greedy.candidates(position)).isdisjoint(greedy.candidates(passed)):
            self._add(found, RULES, "both colours", WIN, mine)
            self._add((passed, (*way, PASS), f"{source}, played on"), RULES, "both colours", WIN, theirs)


def _gain(question: ExamQuestion, counts: Counter[str]) -> float:
    """Return the gain from a question, which is greater if fewer chosen questions have the same topic."""
    return 0.0 if question.topic == _PLAIN_CALL else (2 if question.asks == WIN else 1) / (2 + counts[question.topic])


def _illegal_share(position: Position) -> float:
    empty = FULL & ~(position.black | position.white)
    return (empty & ~position.legal_points()).bit_count() / max(1, empty.bit_count())


def _games_of(position: Position, plies: int) -> int:
    """Return the number of continuations of ``plies`` plies, or fewer if the game ends, from a position."""
    if not plies or position.is_over:
        return 1
    return sum(_games_of(position.play(move), plies - 1) for move in position.legal_moves())


def _finished(question: ExamQuestion) -> ExamQuestion:
    shares = {name: share_of(candidates, question) for name, candidates in BUILT_IN.items()}
    if question.asks != WIN:
        return replace(question, built_in=shares)
    return replace(question, lines=_lines(question), built_in=shares, views=_views(question))


def _views(question: ExamQuestion) -> dict[str, tuple[int, ...]]:
    """Return the winning moves under each misreading, if there are any and they are not the accepted moves."""
    position, game = question.position, question.game
    if position.left > _VIEWED:
        return {}
    other = position._replace(ko=None, passed=False, ply=position.ply + 1)
    before = Position(*question.states[-1].previous, None, position.ply)
    seen = {
        OTHER_COLOUR: winning_moves(other, game) if other.left else [],
        BOARD_BEFORE: winning_moves(before, game) if before[:2] != position[:2] else [],
        NO_KOMI: winning_moves(position, game._replace(komi=0.5)),
    }
    return {name: tuple(moves) for name, moves in seen.items() if moves and set(moves) != set(question.accepted)}


def share_of(candidates: Callable[[Position, Variant], list[int]], question: ExamQuestion) -> float:
    """Return the probability that an agent answers a question rightly if it chooses randomly among its equal moves."""
    chances = Counter(candidates(question.position, question.game))
    return sum(chances[move] for move in set(question.accepted)) / chances.total()


def _lines(question: ExamQuestion) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    judge, lines = ExactOracle(Kernel(open_table(_TABLE_MIB))), {}
    for move in question.position.legal_moves():
        if move not in question.accepted:
            why = explained(question.position, move, judge, question.game)
            assert why is not None, "the move loses a won game, so it is worth less"
            lines[move] = why.worse, why.better
    return lines
