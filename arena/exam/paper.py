"""The file of the exam's questions: positions in games, the right moves, and lines that refute the wrong moves.

The file is JSON Lines in gzip format, with an object for each question, by theme and topic, from easy to hard:

- ``number``: the question's number, from 1.
- ``theme``, ``topic``: a theme, and one of the theme's TOPICS.
- ``source``: the origin of the position.
- ``moves``: the game before the position, from the empty board.
- ``asks``: ``win`` for a move that keeps the mover's win; ``legal`` for any legal move that does not end a lost game.
- ``accepted``: all right moves.
- ``wrong``: the percentage of wrong answers. If ``asks`` is ``win``, the answers are those of models and searches that
  play like opponents; if ``asks`` is ``legal``, the answers are random empty points.
- ``lines``: if ``asks`` is ``win``, for each wrong legal move the best play to the end after this move, and after a
  better move.
- ``built_in``: for each built-in agent, the share of a point that the agent gets on average, because it draws among
  equal moves.
- ``views``: near the end of the game, the winning moves of a mover who misreads the game in one of the ways in VIEWS.
- ``sitting``: for agents that keep files, the number of the whole game in which the question is a call.
- ``plies``, ``komi``: the length and the komi, if the game is not the course's.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from little_go.arena.match.host import State, input_text, states_of
from little_go.arena.match.programs import NAMES
from little_go.book.answers.reasons import Reason, reason
from little_go.notation.record import game_keys, game_of
from little_go.runtime.files import MIB, UNREADABLE, open_text, packed, read_text, why_unreadable, write_whole
from little_go.runtime.release import shipped
from little_go.solver.family import Variant
from little_go.solver.position import FULL, PASS, Position, groups_of, move_name, neighbours, parse_moves

#: The file of questions that Little-Go installs.
EXAM = shipped("data/exam.jsonl.gz")

RULES, FORMAT, OPENINGS, ONLY_MOVES = "rules", "format and time", "openings", "only moves"
CAPTURES, ENDGAMES, PASS_WINS, CHANCES = "captures and rescues", "endgames", "when PASS wins", "White's chances"


class Theme(NamedTuple):
    """A theme of the exam.

    topics: the topics in the order of the exam. about: the text on the theme's questions in the table of EXAM.md.
    """

    name: str
    topics: tuple[str, ...]
    about: str


#: The themes in the order of the exam.
THEMES = (
    Theme(
        RULES,
        (
            *("forbidden recapture", "recapture allowed later", "suicide", "capture that makes a move legal"),
            *("no move but PASS", "first ply", "last ply", "both colours"),
        ),
        "a recapture that ko forbids, and a recapture that is allowed two plies later; suicide; a capture that makes a "
        "move legal; a board without a legal point; the first ply and the last ply; the same board for each colour",
    ),
    Theme(
        FORMAT,
        ("heaviest of its ply", "call of a whole game"),
        "for each ply after the first, the position in the logged games with the most continuations of three plies",
    ),
    Theme(OPENINGS, ("as Black", "as White"), "positions of the first six plies in which one side has played well"),
    Theme(
        ONLY_MOVES,
        ("connect", "self-atari", "other"),
        "only one move wins, and this move captures no stones and saves no stones; 9 to 14 plies left",
    ),
    Theme(
        CAPTURES,
        ("capture", "rescue"),
        "every winning move captures stones, or saves stones in atari; 9 to 14 plies left",
    ),
    Theme(
        ENDGAMES,
        ("2 plies left", "4 plies left", "6 plies left", "8 plies left"),
        "Black to move with 2, 4, 6 or 8 plies left",
    ),
    Theme(
        PASS_WINS,
        ("ends the game", "gives the turn away"),
        "PASS wins and every stone loses: a PASS that ends the game, or a PASS that gives the turn away",
    ),
    Theme(CHANCES, ("opening", "middle game", "endgame"), "Black's last move gave the win away"),
)

#: The topics of each theme, by the theme's name.
TOPICS = {theme.name: theme.topics for theme in THEMES}

#: The values of a question's ``asks``.
WIN, LEGAL = "win", "legal"

#: The misreadings: the program plays for the wrong colour, reads the previous board as the current one, or ignores
#: komi.
VIEWS = OTHER_COLOUR, BOARD_BEFORE, NO_KOMI = "other colour", "board before", "no komi"

#: The minimum percentage of wrong answers for each difficulty, the hardest difficulty first.
DIFFICULTIES = {"hard": 200 / 3, "medium": 100 / 3, "easy": 0.0}


class ExamError(ValueError):
    """Raised if a file is not a valid exam; the message is one line with the number of the wrong line."""


@dataclass(frozen=True)
class ExamQuestion:
    """A question with the fields of the file. The field ``way`` contains the file's ``moves``."""

    number: int
    theme: str
    topic: str
    source: str
    way: tuple[int, ...]
    asks: str
    accepted: tuple[int, ...]
    wrong: float
    lines: Mapping[int, tuple[tuple[int, ...], tuple[int, ...]]] = field(hash=False)
    built_in: Mapping[str, float] = field(hash=False)
    game: Variant
    views: Mapping[str, tuple[int, ...]] = field(default_factory=dict, hash=False)
    sitting: int = 0

    @cached_property
    def states(self) -> list[State]:
        """The host's states of the game, from the empty board to the position of the question."""
        return states_of(map(move_name, self.way), game=self.game)

    @property
    def position(self) -> Position:
        """The position of the question."""
        return self.states[-1].position

    @property
    def difficulty(self) -> str:
        """The difficulty, one of DIFFICULTIES."""
        return next(name for name, least in DIFFICULTIES.items() if self.wrong >= least)

    def why(self, move: int) -> Reason | None:
        """Return the reason why a legal move is wrong; None if the move is right."""
        if move not in self.lines:
            return None
        worse, better = self.lines[move]
        return reason(self.position, worse, better, self.game)

    def better(self, move: int | None) -> int:
        """Return the right move with which the reason compares a wrong move, or else the first right move."""
        return self.accepted[0] if move is None or move not in self.lines else self.lines[move][1][0]


def acceptable(position: Position, game: Variant) -> list[int]:
    """Return the moves that a question about legal moves accepts: all except a PASS that ends a lost game."""
    loses = position.pass_ends and game.leader(position) != position.mover
    return [move for move in position.legal_moves() if move != PASS or not loses]


def needs_the_capture(position: Position, move: int) -> bool:
    """Return whether a legal move would be suicide if it captured nothing."""
    if not position.allows(move):
        return False
    after = position.play(move)
    fallen = (position.black | position.white) & ~(after.black | after.white)
    mine, theirs = (after.black, after.white) if position.mover == 1 else (after.white, after.black)
    group = next(each for each in groups_of(mine) if each >> move & 1)
    return bool(fallen) and not neighbours(group) & FULL & ~(mine | theirs | fallen)


def write_exam(questions: Iterable[ExamQuestion], path: Path) -> None:
    """Write a file of questions, completely or not at all. Equal questions result in equal bytes."""
    text = "".join(json.dumps(_record(question)) + "\n" for question in questions)
    write_whole(path, packed(text.encode("ascii")))


def _record(question: ExamQuestion) -> dict[str, Any]:
    return {
        "number": question.number,
        "theme": question.theme,
        "topic": question.topic,
        "source": question.source,
        "moves": _names(question.way),
        "asks": question.asks,
        "accepted": _names(question.accepted),
        "wrong": round(question.wrong, 1),
        "lines": {move_name(move): list(map(_names, lines)) for move, lines in question.lines.items()},
        "built_in": {name: round(share, 4) for name, share in question.built_in.items()},
        **({"views": {name: _names(moves) for name, moves in question.views.items()}} if question.views else {}),
        **({"sitting": question.sitting} if question.sitting else {}),
        **game_keys(question.game),
    }


def _names(moves: Iterable[int]) -> str:
    return " ".join(map(move_name, moves))


class Paper(NamedTuple):
    """The questions of an exam, for both kinds of agents.

    single: separate questions. whole_games: the questions that are calls of whole games, in the order of the games.
    """

    single: list[ExamQuestion]
    whole_games: list[ExamQuestion]

    def about(self, theme: str | None) -> "Paper":
        """Return the paper with only the questions of a theme, None for all themes."""
        return Paper(*([each for each in questions if theme in (None, each.theme)] for questions in self))


def read_paper(path: Path = EXAM) -> Paper:
    """Read an exam, or raise ExamError if the file is not a valid exam or has no single question."""
    questions = read_exam(path)
    single = [question for question in questions if not question.sitting]
    if not single:
        raise ExamError(f"{path}: it contains no separate questions, only whole games")
    return Paper(single, [question for question in questions if question.sitting])


def read_exam(path: Path = EXAM) -> list[ExamQuestion]:
    """Read the questions of an exam, or raise ExamError if there are none or their games have different rules."""
    try:
        with open_text(path, 64 * MIB, "ascii") as text:
            questions = list(_questions(path, text))
    except UNREADABLE as error:
        raise ExamError(f"{path}: cannot be read: {why_unreadable(error)}") from None
    if not questions:
        raise ExamError(f"{path}: it contains no questions")
    games = sorted({str(question.game) for question in questions})
    if len(games) > 1:
        raise ExamError(f"{path}: its questions are of several games: {'; '.join(games)}")
    return questions


def _questions(path: Path, lines: Iterable[str]) -> Iterator[ExamQuestion]:
    before = 0
    games: dict[int, tuple[int, ...]] = {}
    for number, line in enumerate(lines, 1):
        try:
            question = _question(json.loads(line))
            _check_place(question, before, games)
            before = question.number
            yield question
        except json.JSONDecodeError as error:
            raise ExamError(f"{path}, line {number}: not JSON: {error.msg}") from None
        except KeyError as error:
            raise ExamError(f"{path}, line {number}: not a question: the field {error} is missing") from None
        except (TypeError, AttributeError):
            raise ExamError(f"{path}, line {number}: not a question: a value has the wrong type") from None
        except ValueError as error:
            raise ExamError(f"{path}, line {number}: not a question: {error}") from None


def _question(record: dict[str, Any]) -> ExamQuestion:
    lines = {
        move: (tuple(parse_moves(worse)), tuple(parse_moves(better)))
        for name, (worse, better) in record["lines"].items()
        for move in parse_moves(name)
    }
    question = ExamQuestion(
        int(record["number"]),
        record["theme"],
        record["topic"],
        record["source"],
        tuple(parse_moves(record["moves"])),
        record["asks"],
        tuple(parse_moves(record["accepted"])),
        float(record["wrong"]),
        lines,
        record["built_in"],
        game_of(record),
        {name: tuple(parse_moves(moves)) for name, moves in record.get("views", {}).items()},
        int(record.get("sitting", 0)),
    )
    _check(question)
    return question


def _check_place(question: ExamQuestion, before: int, games: dict[int, tuple[int, ...]]) -> None:
    """Raise ValueError if a question cannot follow the earlier questions of its file.

    before: the number of the last question. games: by sitting, the moves of its last question, which are updated.
    """
    if question.number <= before:
        raise ValueError(f"its number, {question.number}, is not above {before}, the number of the question before it")
    if question.sitting:
        played = games.get(question.sitting)
        if played is not None and (len(question.way) <= len(played) or question.way[: len(played)] != played):
            raise ValueError(f"its moves do not continue the game of sitting {question.sitting}")
        games[question.sitting] = question.way


def _check(question: ExamQuestion) -> None:
    """Raise ValueError if the fields of a question contradict each other."""
    if question.topic not in TOPICS.get(question.theme, ()) or question.asks not in (WIN, LEGAL):
        raise ValueError(f"{question.theme!r}, {question.topic!r} and {question.asks!r} do not belong together")
    if len(question.states) != len(question.way) + 1 or question.states[-1].result is not None:
        raise ValueError("the moves break the rules, or end the game")
    legal = question.position.legal_moves()
    if not question.accepted or set(question.accepted) - set(legal):
        raise ValueError("an accepted move is not legal")
    if question.asks == WIN and set(question.lines) != set(legal) - set(question.accepted):
        raise ValueError("there is not one pair of lines for each wrong move")
    if any(worse[0] != move or better[0] not in question.accepted for move, (worse, better) in question.lines.items()):
        raise ValueError("the lines do not begin with the wrong move and with a right one")


def sittings_of(questions: Iterable[ExamQuestion], *, whole: bool) -> list[list[ExamQuestion]]:
    """Return the questions in groups that share a directory: by game if ``whole``, otherwise one by one."""
    groups: dict[tuple[int, int], list[ExamQuestion]] = {}
    for question in questions:
        key = (question.sitting, 0) if whole and question.sitting else (0, question.number)
        groups.setdefault(key, []).append(question)
    return list(groups.values())


def draw_whole_games(questions: Sequence[ExamQuestion], count: int | None, seed: int) -> list[ExamQuestion]:
    """Return at most ``count`` questions, or all if None, from whole games in random order, sorted by number."""
    sittings = sittings_of(questions, whole=True)
    Random(seed).shuffle(sittings)
    chosen = [question for sitting in sittings for question in sitting]
    return sorted(chosen[:count], key=lambda question: question.number)


def draw_questions(questions: Sequence[ExamQuestion], count: int | None, seed: int) -> list[ExamQuestion]:
    """Return ``count`` questions, the same number from each theme if possible, sorted by number; None for all."""
    if count is None or count >= len(questions):
        return list(questions)
    random = Random(seed)
    themes: dict[str, list[ExamQuestion]] = {}
    for question in questions:
        themes.setdefault(question.theme, []).append(question)
    for group in themes.values():
        random.shuffle(group)
    in_turn = sorted(((at, question) for group in themes.values() for at, question in enumerate(group)), key=_turn)
    return sorted((question for _, question in in_turn[:count]), key=lambda question: question.number)


def _turn(drawn_at: tuple[int, ExamQuestion]) -> tuple[int, str]:
    at, question = drawn_at
    return at, question.theme


#: The names of the files that write_fixtures() writes: the positions, and the tests of the agent.
POSITIONS_FILE, TEST_FILE = "exam_positions.json", "test_exam.py"

#: The file that is copied as the tests of the agent.
_CODE = Path(__file__).with_name("beside_agent.py")


def write_fixtures(questions: Iterable[ExamQuestion], agent: str, with_calls: bool, folder: Path) -> list[Path]:
    """Write the positions and the tests into a folder, each file completely or not at all, and return their paths.

    agent: the agent's name on the command line. If there is no such file, the tests call a file with the name that the
    course requires. with_calls: whether the agent also gets the calls of the game before each position.
    """
    path = Path(agent)
    content = {
        "agent": NAMES[0] if path.is_dir() or not path.suffix else path.name,
        "whole": path.is_dir(),
        "calls_before": with_calls,
        "positions": [_fixture(question) for question in questions],
    }
    folder.mkdir(parents=True, exist_ok=True)
    files = {POSITIONS_FILE: json.dumps(content, indent=1) + "\n", TEST_FILE: read_text(_CODE, MIB)}
    for name, text in files.items():
        write_whole(folder / name, text)
    return [folder / name for name in files]


def _fixture(question: ExamQuestion) -> dict[str, Any]:
    *before, asked = question.states
    return {
        "name": f"{question.number:03} {question.theme}, {question.topic}",
        "board": question.position.diagram().split("\n"),
        "input": input_text(asked),
        "calls": [input_text(state) for state in before if state.position.mover == asked.position.mover],
        "accepted": list(map(move_name, question.accepted)),
    }
