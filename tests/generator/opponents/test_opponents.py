"""The opponent models: their chances add up to 1, files of weights are checked, and a fit finds known weights."""

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from lab.__main__ import main
from lab.games.fit import fit_games, fit_text, split, write_fits
from little_go.arena.agents.greedy import captures
from little_go.arena.agents.greedy import choose as greedy
from little_go.book.files.games import GamesError, LoggedGame, read_games
from little_go.generator.opponents.features import FEATURE_NAMES, features_of
from little_go.generator.opponents.models import (
    OPPONENTS_FILE,
    UNIFORM,
    Model,
    Opponents,
    OpponentsError,
    open_opponents,
)
from little_go.generator.opponents.population import EVALUATIONS
from little_go.generator.opponents.searchers import Searcher
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import CENTRE, PASS, START, Position, move_name, parse_move, parse_moves, play_all
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, transform

ROOT = Path(__file__).parents[3]
GAMES = ROOT / "data" / "staff_games.jsonl.gz"

#: White is to move and can capture the black corner stone with 1,0.
CAPTURE = play_all(START, parse_moves("0,0 0,1 4,4"))


def walk(seed: int, plies: int) -> Position:
    """Return a position of a random unfinished game after at most some plies."""
    chance = random.Random(seed)
    position = START
    for _ in range(plies):
        following = position.play(chance.choice(position.legal_moves()))
        if following.is_over:
            break
        position = following
    return position


POSITIONS = st.builds(walk, st.integers(0, 10_000), st.integers(0, 23))


@pytest.fixture(scope="module")
def opponents() -> Opponents:
    return open_opponents()


@given(position=POSITIONS)
def test_chances_cover_the_legal_moves_and_sum_to_one(opponents: Opponents, position: Position) -> None:
    for chances in (opponents.chances(position, game=COURSE), *opponents.by_model(position, game=COURSE).values()):
        assert sorted(chances) == position.legal_moves()
        assert sum(chances.values()) == pytest.approx(1)
        assert all(chance > 0 for chance in chances.values())


@given(position=POSITIONS, symmetry=st.integers(0, SYMMETRIES - 1))
def test_symmetric_positions_have_the_same_chances(opponents: Opponents, position: Position, symmetry: int) -> None:
    turned = opponents.chances(transform(symmetry, position), game=COURSE)
    expected = {
        POINT_IMAGE[symmetry][move]: chance for move, chance in opponents.chances(position, game=COURSE).items()
    }
    assert turned == expected


def test_a_game_that_is_over_has_no_chances(opponents: Opponents) -> None:
    assert opponents.chances(Position(ply=24), game=COURSE) == {}


def test_the_mixture_has_equal_weights(opponents: Opponents) -> None:
    assert {"aggressive", "alphabeta", "championship", "greedy", "qlearning", "random", "student"} < {*opponents.names}
    assert opponents.names[-1] == UNIFORM
    each = opponents.by_model(CAPTURE, game=COURSE).values()
    for move, chance in opponents.chances(CAPTURE, game=COURSE).items():
        assert chance == pytest.approx(sum(chances[move] for chances in each) / len(opponents.names))


@pytest.mark.parametrize("name", ["greedy", "aggressive", "championship", "student"])
def test_a_capture_is_likelier_than_chance_has_it(opponents: Opponents, name: str) -> None:
    move = parse_move("1,0")
    chances = opponents.by_model(CAPTURE, game=COURSE)
    assert chances[name][move] > chances[UNIFORM][move] * (1 if name == "student" else 3)
    assert opponents.chances(CAPTURE, game=COURSE)[move] > chances[UNIFORM][move]


def seen(position: Position, move: str) -> dict[str, int]:
    return {FEATURE_NAMES[feature]: value for feature, value in features_of(position, game=COURSE)[parse_move(move)]}


def test_features_of_a_capture() -> None:
    features = seen(CAPTURE, "1,0")
    assert (features["captures"], features["captured"], features["most_captured"]) == (1, 1, 1)
    assert (features["edge_side"], features["opening_edge_side"]) == (1, 1)
    assert (features["liberties_3"], features["their_liberties"], features["own_liberties"]) == (1, 2, 4)
    assert features["theirs_beside"] == 1
    assert "own_beside" not in features
    assert "threatened" not in features


def test_features_of_a_rescue_and_of_an_atari() -> None:
    rescue = play_all(START, parse_moves("0,0 0,1"))
    assert {"saves": 1, "saved": 1, "liberties_2": 1, "own_beside": 1}.items() <= seen(rescue, "1,0").items()
    assert seen(rescue, "4,4")["at_risk"] == 1
    attack = play_all(START, parse_moves("0,0 4,4"))._replace(ply=1)
    assert attack.mover == 2
    features = seen(attack, "0,1")
    assert {"ataris": 1, "atari": 1, "threatened": 1}.items() <= features.items()


def test_features_of_a_self_atari_and_of_an_eye() -> None:
    eye = Position(black=0b00001_00010, white=1 << 24, ply=8)
    assert {"fills_eye": 1, "joins": 1, "liberties_3": 1}.items() <= seen(eye, "0,0").items()
    corner = Position(black=1 << 1, white=1 << 24, ply=9)
    assert {"liberties_1": 1, "self_atari": 1, "corner": 1, "at_risk": 1}.items() <= seen(corner, "0,0").items()


def test_features_of_a_pass_that_ends_the_game() -> None:
    ahead = Position(black=0b111, ply=20, passed=True)
    assert {"pass": 1, "pass_late": 1, "pass_ends_ahead": 1}.items() <= seen(ahead, "PASS").items()
    behind = Position(black=0b11, ply=8, passed=True)
    assert seen(behind, "PASS")["pass_ends_behind"] == 1
    assert "pass_late" not in seen(behind, "PASS")


def test_features_of_another_game() -> None:
    def names(position: Position, move: int, game: Variant) -> set[str]:
        return {FEATURE_NAMES[feature] for feature, _ in features_of(position, game)[move]}

    behind = Position(black=0b11, ply=20, passed=True)
    assert "pass_ends_behind" in names(behind, PASS, COURSE)
    assert "pass_ends_ahead" in names(behind, PASS, Variant(24, 1.5))
    assert "opening_centre" not in names(Position(ply=12, passed=True), 12, COURSE)
    assert "opening_centre" in names(Position(ply=12, passed=True), 12, Variant(12, 2.5))


def played(agent: str, number: int) -> list[LoggedGame]:
    """Return games of our greedy agent against an agent that plays any legal move."""
    games = []
    for seed in range(number):
        chance = random.Random(seed)
        colour = seed % 2 + 1
        position, moves = START, []
        while not position.is_over:
            own = position.mover == colour
            moves.append(greedy(position, chance) if own else chance.choice(position.legal_moves()))
            position = position.play(moves[-1])
        games.append(LoggedGame(agent, colour, tuple(map(move_name, moves))))
    return games


def test_a_fit_finds_the_agent_that_always_captures(tmp_path: Path) -> None:
    games = played("taker", 30)
    apart, known = games[:6], games[6:]
    fits = fit_games(known, apart, ridge=0.3)
    assert [fit.name for fit in fits] == ["taker", "student"]
    taker, student = fits
    assert taker.held_out is not None
    assert student.held_out is not None
    assert taker.held_out.log_likelihood > taker.held_out.uniform_log_likelihood + 0.1
    assert student.held_out.log_likelihood < student.held_out.uniform_log_likelihood + 0.1
    assert taker.held_out.games == 6
    write_fits(fits, {"seed": 0}, tmp_path / "out.json")
    taken = by_capture(open_opponents(tmp_path / "out.json"), apart)
    assert min(taken) > 0.5
    assert sum(taken) / len(taken) > 0.9
    assert fits == fit_games(known, apart, ridge=0.3)
    assert len({len(line) for line in fit_text(fits).splitlines()[1:]}) == 1


def by_capture(opponents: Opponents, games: list[LoggedGame]) -> list[float]:
    """Return the mean chance of a capture in positions in which a capture is possible."""
    found = []
    for game in games:
        for position, _ in game.steps():
            legal = position.legal_points()
            takes = [point for point in captures(position) if legal >> point & 1]
            if takes:
                found.append(sum(opponents.by_model(position, game=COURSE)["taker"][point] for point in takes))
    return found


def test_games_are_played_up_to_the_first_illegal_move() -> None:
    games = read_games(GAMES)
    assert len(games) == 2211
    assert sum(len(game.moves) > len(list(game.steps())) for game in games) == 28


def test_equal_games_are_split_as_one() -> None:
    games = [LoggedGame("a", 1, (move_name(move),)) for move in range(10)] * 2
    games += [LoggedGame("b", 2, ()), LoggedGame("b", 2, ("PASS",))]
    fitted, held = split(games, 0.3, 0)
    assert sorted(fitted + held) == sorted(set(games) - {LoggedGame("b", 2, ())})
    assert len(held) == 3
    assert split(games, 0.3, 0) == (fitted, held)
    assert split(games, 0.3, 1) != (fitted, held)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        # The content of a file determines its format, so an unpacked file is read as text under any name.
        (b"not gzip", "line 1 is not a logged game"),
        (gzip.compress(b"{}\n", mtime=0), "line 1 is not a logged game"),
        (gzip.compress(b'{"staff_agent": "a", "staff_color": 3, "moves": []}', mtime=0), "line 1 is not a logged game"),
        (gzip.compress(b"\xff", mtime=0), "cannot be read"),
        (GAMES.read_bytes()[:5000], "cannot be read"),
    ],
)
def test_a_damaged_file_of_games_is_one_clear_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(GamesError) as caught:
        read_games(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


WHOLE = json.loads(OPPONENTS_FILE.read_text(encoding="utf-8"))
FIRST = WHOLE["models"][0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (OPPONENTS_FILE.read_text(encoding="utf-8")[:2000], "not JSON"),
        ("[1, 2]", "not a file of opponent models"),
        ('{"format": 1, "positions": 3}', "not a file of opponent models"),
        (json.dumps({**WHOLE, "format": 2}), "opponents format 2, but this program reads format 1"),
        (json.dumps({**WHOLE, "features": ["pass"]}), "fitted with other features"),
        (json.dumps({**WHOLE, "models": None}), "damaged: the models are missing"),
        (json.dumps({**WHOLE, "models": [3]}), "damaged: a model has no name"),
        (json.dumps({**WHOLE, "models": [FIRST, FIRST]}), "damaged: two models have the same name"),
        (json.dumps({**WHOLE, "models": [{**FIRST, "weights": [1.0]}]}), "damaged: model aggressive does not have"),
        (
            json.dumps({**WHOLE, "models": [{**FIRST, "weights": [float("nan")] * len(FEATURE_NAMES)}]}),
            "damaged: model",
        ),
    ],
)
def test_a_damaged_or_foreign_file_of_models_is_one_clear_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "opponents.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(OpponentsError) as caught:
        open_opponents(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_a_missing_file_of_models_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(OpponentsError, match="No such file or directory"):
        open_opponents(tmp_path / "none.json")


def test_the_committed_weights_beat_chance_on_games_held_out() -> None:
    assert WHOLE["features"] == FEATURE_NAMES
    for model in WHOLE["models"]:
        score = model["held_out"]
        assert score["log_likelihood"] > score["uniform_log_likelihood"]
        assert score["accuracy"] > score["uniform_accuracy"]


def test_no_fitted_model_is_the_uniform_one() -> None:
    even = Opponents([Model("even", (0.0,) * len(FEATURE_NAMES))])
    chances = even.chances(START, game=COURSE)
    assert set(chances.values()) == {1 / 26}


def test_models_load_without_numpy() -> None:
    # sqlite-utils imports numpy if it is installed, so only scipy is checked here.
    code = "import little_go.generator.opponents.models, sys; numpy = 'numpy' in sys.modules; "
    code += "import little_go.generator.__main__; sys.exit(numpy or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60).returncode == 0


def test_fit_command(tmp_path: Path) -> None:
    games, out = tmp_path / "games.jsonl.gz", tmp_path / "out.json"
    command = ["fit", "--logged", str(games), "--out", str(out), "--held-out", "0.3"]
    lines = gzip.decompress(GAMES.read_bytes()).splitlines()[-20:]
    games.write_bytes(gzip.compress(b"\n".join(lines)))
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert "student" in done.stdout
    assert "student" in open_opponents(out).names
    games.write_bytes(b"")
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"Error: {games}: ")


@pytest.mark.parametrize("name", EVALUATIONS)
def test_a_searcher_opens_in_the_centre(name: str) -> None:
    searcher = Searcher(EVALUATIONS[name], 1)
    assert searcher.scores(START, 3) == {CENTRE: 0}
    assert searcher.equals(START) == [CENTRE]
