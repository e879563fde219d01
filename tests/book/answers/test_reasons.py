"""Every sentence of a reason is true and explains the mistake; lab.games.explained checks it on both lines."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest

from lab.games import explained as reader
from lab.games.explained import ExplainedMistake, FalseReason, judged
from little_go.arena.review.review import Evaluator, with_lines
from little_go.arena.review.review import Mistake as ReviewedMistake
from little_go.book.answers.live import LiveSearch
from little_go.book.answers.query import Knowledge, Service
from little_go.book.answers.reasons import NOT_COMPARED, ExactOracle, Reason, explained, open_oracle, reason
from little_go.book.files.puzzles import read_puzzles
from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.native.explain import KINDS, THEMES, explain, settled_line
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position, move_name, parse_moves, play_all

#: The file of mistakes with their lines, which tests/explorer/reason_vectors.py writes from mistakes().
VECTORS = Path(__file__).parents[2] / "data" / "reasons.jsonl"


class Mistake(NamedTuple):
    """A move that loses points, with best play after it and instead of it, and its comparison with a PASS."""

    position: Position
    worse: list[int]
    better: list[int]
    outcome: int = NOT_COMPARED

    @property
    def why(self) -> Reason:
        """The reason."""
        return reason(self.position, self.worse, self.better, COURSE, self.outcome)


def mistakes(count: int, seed: int) -> Iterator[Mistake]:
    """Yield moves that lose points, in random positions with 2 to 12 plies left.

    Two of three mistakes have the lines of explained(), and the others have random best play.
    """
    kernel, rng = Kernel(open_table(64)), random.Random(seed)
    judge = ExactOracle(kernel)

    def best_play(position: Position) -> list[int]:
        moves = []
        while not position.is_over:
            value, black = judge.value(position), position.black_to_move
            goal = value if black else value + 1
            keeping = [each for each in position.legal_moves() if judge.reaches(position.play(each), goal) is black]
            moves.append(rng.choice(keeping))
            position = position.play(moves[-1])
        return moves

    while count:
        position, plies = START, rng.randrange(12, 23)
        while position.ply < plies:
            *stones, _ = position.legal_moves()
            position = position.play(rng.choice(stones) if stones and rng.random() < 0.95 else PASS)
        if position.is_over:
            continue
        move = rng.choice(position.legal_moves())
        found = explained(position, move, judge, game=COURSE)
        if found is None:
            continue
        count -= 1
        if count % 3:
            yield Mistake(position, [*found.worse], [*found.better], found.outcome)
        else:
            yield Mistake(position, [move, *best_play(position.play(move))], best_play(position), found.outcome)


@pytest.fixture(scope="module")
def drawn() -> list[Mistake]:
    """500 mistakes with whole lines, from the file."""
    # The file has each mistake twice: with whole lines, and with lines of three plies.
    vectors = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()[::2]]
    return [
        Mistake(from_record(each["position"], COURSE), each["worse"], each["better"], each["outcome"])
        for each in vectors
    ]


@cache
def judge_of_passes() -> ExactOracle:
    """Return a judge with one table for all calls of told_of()."""
    return ExactOracle(Kernel(open_table(64)))


def told_of(mistake: Mistake, why: Reason | None = None, kind: str = "other") -> ExplainedMistake:
    """Return a mistake in the form of lab.games.explained."""
    position, worse, better, outcome = mistake
    stones = {"X": position.black, "O": position.white}
    board = {move_name(p): colour for colour, mask in stones.items() for p in range(25) if mask >> p & 1}
    names = list(map(move_name, worse)), list(map(move_name, better))
    sentences = ("", "") if why is None else (why.worse, why.better)
    pass_worth = judge_of_passes().value(position.play(PASS)) if outcome != NOT_COMPARED or not sentences[0] else None
    return ExplainedMistake(board, position.ply, position.passed, *names, sentences, kind, pass_worth)


@pytest.mark.parametrize("plies", [24, 3])
def test_every_sentence_is_true_and_names_all_that_falls(drawn: list[Mistake], plies: int) -> None:
    """The test uses whole lines, and lines of three plies."""
    themes = Counter[str]()
    for mistake in drawn:
        cut = mistake._replace(worse=mistake.worse[:plies], better=mistake.better[:plies])
        why = cut.why
        told = told_of(cut, why)
        found = judged(*told.lines, told.sentences, told.pass_worth)
        assert (found.unnamed, found.both, found.absent, found.unsigned) == (0, 0, 0, False), why.text
        themes[why.theme] += 1
    rare = {"answer", "no cause"} if plies == 24 else {"area", "tempo", "connection", "eye", "no cause"}
    assert set(themes) >= set(THEMES) - rare


def test_the_reasons_are_those_of_the_file() -> None:
    """If the change is intended, run ``python -m tests.explorer.reason_vectors``."""
    for line in VECTORS.read_text("utf-8").splitlines():
        each = json.loads(line)
        mistake = Mistake(from_record(each["position"], COURSE), each["worse"], each["better"], each["outcome"])
        assert mistake.why._asdict() == each["is"]


def test_a_false_sentence_is_found_out() -> None:
    mistake = next(mistakes(1, 1))
    why = mistake.why
    wrong = re.sub(r"[BW]\+", lambda each: "BW"["BW".index(each[0][0]) - 1] + "+", why.worse)
    told = told_of(mistake, why._replace(worse=wrong))
    with pytest.raises(FalseReason):
        judged(*told.lines, told.sentences, told.pass_worth)


@pytest.mark.parametrize(
    "sentence",
    [
        "White answers 1,0 and captures 0,0: B+0.5.",
        "White answers 1,0 and captures 0,0 and 0,1 (also 4,4, captured after 4,4 too): B+0.5.",
        "White takes 1,0, the point that both sides need, and joins 0,2 and 1,1.",
        "White answers 1,0 and captures 6 stones in the upper left.",
    ],
)
def test_the_reader_is_no_friend_of_the_writer(sentence: str) -> None:
    """The sentences omit stones, name stones that are not captured, or join groups that stay apart."""
    position = play_all(START, parse_moves("0,0 1,1 0,1 0,2 4,4 2,2"))
    worse, better = parse_moves("4,3 1,0 3,3"), parse_moves("1,0 3,0 2,0")
    told = told_of(
        Mistake(position, worse, better),
        Reason("", sentence, "After 1,0 they stay on the board until ply 9 at least.", ""),
    )
    with pytest.raises(FalseReason):
        judged(*told.lines, told.sentences)


#: A position in which White can still join 4,1 and 2,1 at 3,0, and lines of best play from it.
OPEN_LINK = (
    "1,2 2,0 2,2 4,1 3,2",
    "2,1 1,3 0,0 0,1 0,2 0,3 1,4 3,1 2,4 1,0 3,3 4,0 3,0 4,2 0,4 4,0 2,3 1,1 2,0",
    "1,3 0,1 0,3 0,2 1,0 2,3 2,4 0,0 2,1 3,1 3,4 1,1 1,4 3,0 1,0 2,0 0,4 4,2 3,3",
)


def test_the_reader_refuses_a_cut_that_leaves_a_link_open(monkeypatch: pytest.MonkeyPatch) -> None:
    way, worse, better = map(parse_moves, OPEN_LINK)
    mistake = Mistake(play_all(START, way), worse, better)
    said, instead = (
        "After 2,1 Black plays 3,1 at ply 13, which cuts 4,1 off from 2,1, and captures it at ply 21 with 4,0, and "
        "White may not recapture at once: B+2.5.",
        "After 1,3 it stays on the board to the end: B+1.5.",
    )
    told = told_of(mistake, Reason("", said, instead, ""))
    with pytest.raises(FalseReason):
        judged(*told.lines, told.sentences)
    monkeypatch.setattr(reader, "_may_join", lambda *_: False)
    assert judged(*told.lines, told.sentences).explains


#: A position in which Black either makes an eye at 0,0, or captures White's stones there later and has an eye at 1,1.
OTHER_EYE = (
    "1,2 3,3 2,2 3,2 2,1 3,1 2,3 1,3 2,0 1,1 1,0 4,3 2,4 4,2",
    "1,4 0,0 0,3 0,1 3,0 3,4 4,0 PASS 0,2 0,0",
    "0,1 0,2 3,0 0,3 3,4 1,4 4,4 4,0 4,1 3,1",
)


def test_an_eye_that_another_eye_replaces_is_no_cause() -> None:
    way, worse, better = map(parse_moves, OTHER_EYE)
    mistake = Mistake(play_all(START, way), worse, better)
    assert mistake.why.theme != "eye"
    said = "White answers 0,0, so Black gets no eye there: B+2.5."
    instead = "0,1 makes an eye at 0,0, where White may not play: B+4.5."
    told = told_of(mistake, Reason("", said, instead, ""))
    with pytest.raises(FalseReason, match="no eye"):
        judged(*told.lines, told.sentences)


def test_the_reader_compares_a_wasted_move_with_a_pass() -> None:
    """It refuses reasons that do not say that a move is wasted, or say it falsely."""
    for mistake in mistakes(60, 71):
        told = told_of(mistake, mistake.why)
        value = told.lines[0].margin
        if not told.sentences[0].startswith(f"{told.worse[0]} is worth no more than a PASS"):
            continue
        for wrong in (value - 1, value + 1, None):
            with pytest.raises(FalseReason):
                judged(*told.lines, told.sentences, wrong)
        _, silent = told.sentences[0].split(" than a PASS. ")
        with pytest.raises(FalseReason):
            judged(*told.lines, (silent, told.sentences[1]), value)
        return
    pytest.fail("no move was wasted")


def test_a_line_without_an_answer_tells_nothing() -> None:
    with pytest.raises(ValueError, match="two moves at least"):
        reason(START, [12], [0, 1], game=COURSE)


# Reasons that were once wrong or unclear


class FailingJudge:
    """A judge that raises a given exception at its nth call, and AssertionError at every later call."""

    def __init__(self, judge: ExactOracle, fails: int) -> None:
        self.calls, self.error = 0, LookupError(str(fails))
        self._judge, self._fails = judge, fails

    def _count(self) -> None:
        self.calls += 1
        if self.calls >= self._fails:
            raise self.error if self.calls == self._fails else AssertionError("it is asked after it failed")

    def value(self, position: Position) -> int:
        self._count()
        return self._judge.value(position)

    def reaches(self, position: Position, goal: int) -> bool:
        self._count()
        return self._judge.reaches(position, goal)


def test_each_failure_of_a_judge_ends_the_search_for_lines() -> None:
    """For each call that fails: the failure is not used as an answer, and there is no further call."""
    judge, tried = ExactOracle(Kernel(open_table(64))), 0
    for mistake in mistakes(12, 8):
        position, move = mistake.position, mistake.worse[0]
        for ask in (partial(explain, position, move), partial(settled_line, position)):
            whole = FailingJudge(judge, 10**9)
            ask(whole)
            for fails in range(1, whole.calls + 1):
                failing = FailingJudge(judge, fails)
                with pytest.raises(LookupError) as raised:
                    ask(failing)
                assert raised.value is failing.error
                assert failing.calls == fails
                tried += 1
    assert tried > 300


#: Pairs of moves, of which the last is the mistake, and the expected reason.
CASES = [
    (
        "2,2 3,3 2,1 3,2 1,2 3,1 2,3 1,3 0,3 1,1 1,4 4,3 0,1 4,2 1,0 4,1 2,4 4,4 1,3",
        "After 1,3 White's 7 stones on the lower side stay on the board to the end; 1,3 fills an own eye: B+1.5. 3,0 "
        "leaves them only 2 liberties, and Black captures them at ply 23 with 4,0 (also 3,4, played later): B+8.5.",
    ),
    (
        "2,2 3,3 2,1 3,2 1,2 3,1 2,3 1,3 0,3 1,1 1,4 4,3 0,1 4,2 1,0 4,1 2,4 4,4",
        "4,4 is worse than a PASS. Black answers 3,0, which leaves 6 stones on the lower side only 2 liberties, and "
        "captures them at ply 23 with 4,0 (also 4,4, the stone just played; also 3,4, played later): B+8.5. After 3,0"
        " they stay on the board to the end: B+2.5.",
    ),
    (
        "2,2 2,1 3,2 1,1 3,3 1,2 2,3 3,1 1,3 0,3 4,3 4,1 4,2",
        "4,2 is worse than a PASS. After 4,2 White plays 3,4 at ply 20, which leaves 6 stones in the lower right only"
        " 2 liberties, and captures them at ply 24 with 3,4 (also 4,2, the stone just played; also 2,4 and 4,4, "
        "played later): W+10.5. After 1,4 they stay on the board to the end; but 1 point elsewhere goes the other "
        "way: W+5.5.",
    ),
    (
        "1,3 3,3 4,4 3,2 0,4 3,1 1,2 2,3 0,3 2,2 0,2",
        "0,2 is worse than a PASS. White answers 1,1, which leaves 0,3 and 0,4 and 1,2 and 1,3 only 2 liberties, and "
        "captures them at ply 18 with 1,4 (also 0,2, the stone just played): W+10.5. After 1,1 they stay on the board"
        " to the end: W+5.5.",
    ),
    (
        "1,2 2,2 1,1 2,3 3,3 2,1 3,2 4,2 1,3 2,4",
        "After 2,4 Black plays 3,4 at ply 13, which leaves 2,1 and 2,2 and 2,3 only 2 liberties, and captures them at"
        " ply 19 with 2,0 (also 2,4, the stone just played): B+2.5. After 3,1 they stay on the board to the end: "
        "W+2.5.",
    ),
    (
        "2,2 1,1 3,2 2,1 3,3 4,0 2,3 4,1 3,1 2,4 1,2 0,4 1,3 2,0 3,0 4,2 4,3 0,1 1,4",
        "After 1,4 White's 0,1 and 1,1 and 2,0 and 2,1 stay on the board to the end: B+2.5. 0,2 leaves them only 2 "
        "liberties, and Black captures them at ply 23 with 0,0 (also 1,0, played later); but 1,4 gains 2 points "
        "elsewhere: B+4.5.",
    ),
    (
        "2,2 1,2 1,1 1,3",
        "Black answers 2,3, which extends 2,2 and blocks 1,3: B+1.5. 2,1 keeps 1,1 and 2,2 apart: W+0.5.",
    ),
    (
        "2,1 4,3",
        "Black answers 2,3 and keeps the point to the end: B+1.5. 2,2 takes the centre, and Black has no stone on 2,3"
        " at the end; this decides who gets 1,3 and 2,2 and 2,3 and 3,2; but 3 points elsewhere go the other way: "
        "W+2.5.",
    ),
    (
        "0,1 2,2 1,3 1,1 2,3 2,1 2,0 3,2 3,0 3,1 4,4 3,3 3,4 4,1 1,2 1,4 0,3 4,3 1,0",
        "White answers 2,4 and captures 3,4 and 4,4: W+5.5. After 2,4 they stay on the board to the end; Black's 2,4 "
        "joins them to 2,3; but 1,0 gains 2 points elsewhere: W+4.5.",
    ),
    (
        "2,3 2,2 1,0 3,3 0,0 3,2 3,4 0,2 4,1 3,1 1,3 1,4 0,1",
        "0,1 is worth no more than a PASS. White answers 1,2 and captures 1,3 and 2,3 and 3,4 at ply 24 with 1,4 "
        "(also 0,3 and 0,4 and 2,4, played later): W+7.5. After 1,2 they stay on the board to the end: W+3.5.",
    ),
    (
        "2,0 2,2 3,3 2,1 1,4 1,0 2,4 3,0 3,1 3,2 0,4 4,1 4,3 2,3",
        "After 2,3 Black's 0,4 and 1,4 and 2,4 stay on the board to the end; Black's 4,4 at ply 19 captures 3,4: "
        "W+6.5. After 1,3 White plays 0,2 at ply 18, which leaves them only 2 liberties, and captures them at ply 22 "
        "with 3,4 (also 0,3, played later); but 2 points elsewhere go the other way: W+8.5.",
    ),
    (
        "3,0 2,2 1,3 0,3 0,0 3,2 2,0 2,3 3,4 3,1",
        "Black answers 1,2, which extends 1,3 and blocks 2,2: W+6.5. 1,2 puts 1,3 into atari, and White captures it "
        "at ply 12 with 1,4: W+8.5.",
    ),
    (
        "2,2 2,3 2,1 3,3 1,2 1,3 3,2 0,3 2,0 0,2 1,1 0,1 2,4 3,1 3,0 4,1 4,0",
        "White takes 4,3, the point that both sides need, extends 3,3, and keeps the point to the end: W+2.5. 4,3 "
        "blocks 3,3, and keeps the point to the end; but 1 point elsewhere goes the other way: W+1.5.",
    ),
]


@pytest.mark.parametrize(("moves", "text"), CASES)
def test_what_people_are_told(moves: str, text: str) -> None:
    *way, move = parse_moves(moves)
    position = play_all(START, way)
    why = explained(position, move, open_oracle(), game=COURSE)
    assert why is not None
    assert why.reason.text == text
    told = told_of(Mistake(position, [*why.worse], [*why.better], why.outcome), why.reason)
    found = judged(*told.lines, told.sentences, told.pass_worth)
    assert found.explains or found.far
    assert not found.unsigned


def test_what_falls_is_named_in_every_puzzle() -> None:
    """An earlier version described two captured stones in one of these positions, but three are captured."""
    for puzzle in read_puzzles():
        for line in (puzzle.refutation, *puzzle.others):
            why = reason(puzzle.position, line, puzzle.solution, game=COURSE)
            told = told_of(Mistake(puzzle.position, [*line], [*puzzle.solution]), why)
            found = judged(*told.lines, told.sentences)
            assert (found.unnamed, found.both, found.absent, found.unsigned) == (0, 0, 0, False), why.text


@pytest.mark.parametrize(
    "moves",
    [
        "2,3 2,2 1,3 1,2 0,0 1,1 3,4 3,1 1,0 3,2 4,1",
        pytest.param("1,1", marks=pytest.mark.long),
        pytest.param("2,2 1,1 3,3", marks=pytest.mark.long),
    ],
)
def test_everybody_says_the_same(moves: str) -> None:
    """The test compares a review with few nodes and no files with the service that query --why and GTP use."""
    *way, move = parse_moves(moves)
    position = play_all(START, way)
    found = explained(position, move, open_oracle(), game=COURSE)
    assert found is not None
    before, after = Knowledge(position, None, game=COURSE), Knowledge(position.play(move), None, game=COURSE)
    bare = ReviewedMistake(position.ply + 1, position, move, before, after, 1, exact=False, decisive=False)
    mistake = with_lines(bare, Evaluator([], 1000))
    assert (mistake.instead, mistake.answer, mistake.reason) == (found.better, found.worse[1:], found.reason)
    assert Service([], LiveSearch(16), game=COURSE).why(position, move) == found.reason.text


#: Games whose last move once got a kind that also applies to the better move.
NOT_OF_THE_KIND = [("1,1 0,1 0,2 1,0", "leaves stones in atari"), ("2,2 1,1 3,3", "misses a capture")]


@pytest.mark.parametrize(("moves", "kind"), NOT_OF_THE_KIND)
def test_a_kind_is_given_only_where_the_better_move_cures_it(moves: str, kind: str) -> None:
    *way, move = parse_moves(moves)
    position = play_all(START, way)
    found = explained(position, move, open_oracle(), game=COURSE)
    assert found is not None
    assert found.reason.kind != kind


def test_the_condition_of_each_kind_holds(drawn: list[Mistake]) -> None:
    kinds = Counter[str]()
    for mistake in drawn:
        kind = mistake.why.kind
        assert told_of(mistake, kind=kind).is_of_its_kind, (mistake.position, kind)
        kinds[kind] += 1
    assert len(kinds) > 8
    assert set(kinds) <= set(KINDS)


def test_a_mistake_gets_the_same_words_every_time(drawn: list[Mistake]) -> None:
    """The searches use a filled table, an empty table, and another order."""
    rng, warm = random.Random(4), open_oracle()
    asked = [(each.position, each.worse[0]) for each in drawn[:40]]
    first = [explained(*each, warm, COURSE) for each in asked]
    rng.shuffle(both := list(zip(asked, first, strict=True)))
    assert all(explained(*each, warm, COURSE) == found for each, found in both)
    assert all(explained(*each, open_oracle(), COURSE) == found for each, found in both[:10])


def test_lines_that_explain_are_best_play(drawn: list[Mistake]) -> None:
    kernel, judge = Kernel(open_table(64)), open_oracle()
    for position, worse, *_ in drawn[-40:]:
        found = explained(position, worse[0], judge, game=COURSE)
        assert found is not None
        for at, line in ((position.play(worse[0]), found.worse[1:]), (position, found.better)):
            value = kernel.value(at).lo if not at.is_over else at.margin
            for move in line:
                at = at.play(move)
                assert (at.margin if at.is_over else kernel.value(at).lo) == value
            assert at.is_over
