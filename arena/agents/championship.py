"""The agent "championship" is the strongest agent that uses no book.

The agent's first move is 2,2. In any other position the native kernel tries to prove who wins after each move. The
kernel searches in rounds, each with more nodes than the round before, so that moves that are easy to refute are dropped
first. The agent plays one of these moves:

- a move that is proven to win;
- in a lost game, the move after which the fewest replies keep the opponent's win;
- otherwise, a move that is not refuted.

Among several moves of the same kind, the agent plays the move with the best score in an alpha-beta search of eight
plies, and draws at random among equal scores.

The agent limits nodes instead of time, so that it always gives the same answer in the same position. The limit is 10
million nodes for a move, which take about 3 s of CPU. Each search starts with an empty table, as in a new process. A
file caches answers for all processes of this user, which shortens a series of games or the grading of a class.

The source is the assignment, which promises "an excellent Little-Go player adapted from top-performing agents in
previous iterations of this class". The opening is from the logged games. The course's own agent is weaker
(docs/reference/AGENTS.md).
"""

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing, suppress
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path

from little_go.arena.agents import Agent, Choose, one_of, run
from little_go.player.choose import hardest_move, quick_rank
from little_go.runtime.files import MIB, open_database, read_file
from little_go.runtime.release import cache_path
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.lookahead import Lookahead
from little_go.solver.native.table import open_table
from little_go.solver.position import CENTRE, Position

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    maker TEXT, position TEXT, moves TEXT, PRIMARY KEY (maker, position)
) WITHOUT ROWID"""


class KeptAnswers:
    """A cache of answers in a file. If the file is unusable, the cache finds nothing and stores nothing."""

    def __init__(self, path: Path, maker: str) -> None:
        """Prepare the cache without opening its file. maker: a digest of the code that determines the answers."""
        self._path, self._maker = path, maker

    def find(self, position: str) -> list[int] | None:
        """Return the cached moves for a position, or None."""
        with suppress(OSError, sqlite3.Error, ValueError, AttributeError):
            if self._path.is_file():
                with closing(open_database(self._path, write=False)) as db:
                    asked = "SELECT moves FROM answers WHERE maker = ? AND position = ?"
                    row = db.execute(asked, (self._maker, position)).fetchone()
                    return None if row is None else [int(word) for word in row[0].split()]
        return None

    def keep(self, position: str, moves: Iterable[int]) -> None:
        """Store the moves for a position."""
        with suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(open_database(self._path, write=True)) as db, db:
                # If a power cut loses an answer, it is searched again.
                db.execute("PRAGMA synchronous = OFF")
                db.execute(_TABLE)
                row = (self._maker, position, " ".join(map(str, moves)))
                db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)


@lru_cache
def digest_of_sources(folders: tuple[Path, ...]) -> str:
    """Return a digest of Python files and compiled modules.

    folders: paths of single files, and of folders whose files are all included.
    """
    digest = sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.suffix in (".py", ".so", ".pyd"):
                digest.update(path.name.encode() + b"\0" + sha256(read_file(path, 64 * MIB)).digest())
    return digest.hexdigest()


#: Maximum nodes for a move, and the share of these nodes for searching the position before the moves are searched one
#: by one.
NODES, WHOLE_SHARE = 10_000_000, 0.25

#: Maximum nodes for each move of the position in the first round. Each later round doubles this number.
FIRST_ROUND = 100_000

#: The maximum number of plies left with which all replies to the moves of a lost game are searched.
LOST_LEFT = 13

#: The file of cached answers.
ANSWERS = "championship.db"

#: An answer is cached if its search needed at least this many nodes (about 30 ms).
WORTH_KEEPING = 100_000

#: The source files and folders that determine the answers.
_ROOT = Path(__file__).parents[2]
_SOURCES = ("arena/agents/championship.py", "player/choose.py", "solver")

#: Depth in plies of the search among equally good moves, and the weights of the search's evaluation (van der Werf
#: 2003).
DEPTH = 8
SHAPE = (5, 1, 0, 0, -4, -1, 0, 0)

#: A search window that is larger than any difference of two scores.
_ALL = 1 << 20

_TABLE_MIB = 256

#: The maximum nodes of a first search with a small table, which has at least twice as many entries.
SMALL_NODES, _SMALL_TABLE_MIB = FIRST_ROUND // 2, 16


class _TooMany(Exception):
    """Raised if the searches for a move exceed SMALL_NODES together."""


class _SmallKernel:
    """A kernel with a small table, whose searches raise _TooMany if they exceed SMALL_NODES together."""

    def __init__(self) -> None:
        self._kernel = Kernel(open_table(_SMALL_TABLE_MIB))

    @property
    def nodes(self) -> int:
        return self._kernel.nodes

    def decide(self, position: Position, least: int, node_limit: int) -> Answer:
        return self._checked(self._kernel.decide(position, least, node_limit=min(node_limit, self._left)))

    def value(self, position: Position, node_limit: int) -> Answer:
        return self._checked(self._kernel.value(position, node_limit=min(node_limit, self._left)))

    @property
    def _left(self) -> int:
        return SMALL_NODES + 1 - self.nodes

    def _checked(self, answer: Answer) -> Answer:
        if self.nodes > SMALL_NODES:
            raise _TooMany
        return answer


@lru_cache(maxsize=1 << 14)
def candidates(position: Position, game: Variant) -> list[int]:
    """Return the moves from which the agent draws its move."""
    if not position.ply:
        return [CENTRE]
    kept, key = _cache(), f"{game} {position.ply} {position.black:x} {position.white:x} {position.ko} {position.passed}"
    found = kept.find(key)
    if found and set(found) <= set(position.legal_moves()):
        return found
    with suppress(_TooMany):
        # A small table takes less time to clear, and gives the same result if the search needs few nodes.
        return _search(position, _SmallKernel(), game)
    kernel = Kernel(open_table(_TABLE_MIB))
    moves = _search(position, kernel, game)
    if kernel.nodes >= WORTH_KEEPING:
        kept.keep(key, moves)
    return moves


def _cache() -> KeptAnswers:
    sources = tuple(_ROOT / name for name in _SOURCES)
    limits = (NODES, WHOLE_SHARE, FIRST_ROUND, LOST_LEFT, DEPTH, SHAPE, SMALL_NODES)
    return KeptAnswers(cache_path(ANSWERS), f"{digest_of_sources(sources)} {limits}")


def _search(position: Position, kernel: Kernel | _SmallKernel, game: Variant) -> list[int]:
    winning, unknown = _sift(position, kernel, game)
    if winning or unknown:
        return _best_looking(position, winning or unknown)
    if position.left <= LOST_LEFT:
        moves = sorted(position.legal_moves(), key=lambda move: -quick_rank(position, move))
        move = hardest_move(
            position,
            moves,
            lambda child: kernel.decide(child, game.least, node_limit=_rest(kernel)),
            lambda child: kernel.value(child, node_limit=_rest(kernel)),
            game,
        )
        if move is not None:
            return [move]
    return _best_looking(position, position.legal_moves())


def _rest(kernel: Kernel | _SmallKernel) -> int:
    """Return the number of nodes left for searching replies in a lost game.

    The search for replies may use NODES additional nodes after the search for a move.
    """
    return max(1, 2 * NODES - kernel.nodes)


def _sift(position: Position, kernel: Kernel | _SmallKernel, game: Variant) -> tuple[list[int], list[int]]:
    """Return the moves that are proven to win, and the moves with an unknown winner.

    If the game is lost, both lists are empty.
    """
    now = kernel.decide(position, game.least, node_limit=int(NODES * WHOLE_SHARE))
    winner = game.winner(now)
    if winner == 3 - position.mover:
        return [], []
    winning = [] if winner is None or now.best is None else [now.best]
    unknown = [move for move in position.legal_moves() if move not in winning]
    nodes = FIRST_ROUND
    while unknown and kernel.nodes < NODES:
        winners = {move: _winner(position.play(move), kernel, nodes, game) for move in unknown}
        winning += [move for move in unknown if winners[move] == position.mover]
        unknown = [move for move in unknown if winners[move] is None]
        if winning:
            break
        nodes *= 2
    return winning, unknown


def _winner(position: Position, kernel: Kernel | _SmallKernel, nodes: int, game: Variant) -> int | None:
    if position.is_over:
        return game.leader(position)
    return game.winner(kernel.decide(position, game.least, node_limit=max(1, min(nodes, NODES - kernel.nodes))))


def _best_looking(position: Position, moves: Collection[int]) -> list[int]:
    """Return the moves with the best score. A PASS has a score only if there is no legal point."""
    if len(moves) == 1:
        return [*moves]
    scores = Lookahead(SHAPE).scores(position, min(DEPTH, position.left), _ALL)
    best = max((scores[move] for move in moves if move in scores), default=None)
    return [move for move in moves if scores.get(move) == best]


choose = partial(one_of, partial(candidates, game=COURSE))


def chooser(game: Variant) -> Choose:
    """Return the function that chooses a move in a game."""
    return choose if game == COURSE else partial(one_of, lambda position: candidates(position, game))


AGENT = Agent(
    "championship",
    rule="2,2; then a move that is proven to win, otherwise a move that is not refuted; in a lost game the move after "
    f"which the fewest replies keep the win; among equal moves, the best in an alpha-beta search of {DEPTH} plies",
    limits=f"{NODES // 1_000_000} million nodes",
    source='the assignment promises "an excellent player"; our agent is the best that we can write without the book',
    choose=choose,
    needs_ply=True,
    in_game=chooser,
)


if __name__ == "__main__":
    run(choose, AGENT.needs_ply)
