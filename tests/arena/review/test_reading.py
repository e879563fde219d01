"""Read the games to review."""

import gzip
import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest

from little_go.arena.agents import greedy, random
from little_go.arena.match.contestant import FunctionContestant
from little_go.arena.match.host import describe
from little_go.arena.match.play import Game, play_game
from little_go.arena.review.annotated import annotated_sgf
from little_go.arena.review.reading import from_record, positions_of, read_games
from little_go.arena.review.review import Evaluator, review
from little_go.arena.standings.game_sgf import sgf_of
from little_go.book.files.games import GamesError
from little_go.notation.record import link_fragment
from little_go.solver.family import COURSE
from little_go.solver.position import OCCUPIED, OFF_BOARD, START, Position, parse_move, play_all


def a_game(seed: int = 1) -> Game:
    return play_game(
        FunctionContestant("first", random.choose), FunctionContestant("second", greedy.choose), seed, game=COURSE
    )


def test_sgf_and_json_lines_give_the_same_game(tmp_path: Path) -> None:
    record = a_game().record()
    (tmp_path / "a.sgf").write_bytes(sgf_of(record))
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    (one,), (other,) = (list(read_games([str(tmp_path / name)])) for name in ("a.sgf", "a.jsonl"))
    assert one.state == other.state == a_game().state
    assert (one.black, one.white) == (other.black, other.white) == ("first", "second")
    assert (one.source, other.source) == ("a.sgf", "a.jsonl, game 1")


def test_a_directory_is_read_whole(tmp_path: Path) -> None:
    for seed in range(3):
        (tmp_path / f"{seed}.sgf").write_bytes(sgf_of(a_game(seed).record()))
    assert [game.state.moves for game in read_games([str(tmp_path)])] == [a_game(s).state.moves for s in range(3)]


def test_moves_may_be_given_one_by_one_or_in_one_word() -> None:
    (one,), (other,) = read_games(["2,2", "1,1", "PASS"]), read_games(["2,2 1,1 PASS"])
    assert one == other
    assert one.state.result is None
    assert positions_of(one.state)[-1] == play_all(START, [12, 6, 25])


def test_a_forfeit_and_a_broken_rule_end_a_game(tmp_path: Path) -> None:
    record = {**a_game().record(), "moves": ["2,2", "1,1"], "winner": "White", "reason": "timeout", "detail": "slow"}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    (game,) = read_games([str(tmp_path / "a.jsonl")])
    assert game.state.result == (2, "timeout", "slow")
    (game,) = read_games(["2,2", "2,2"])
    assert game.state.result is not None
    assert game.state.result.reason == "invalid_occupied"
    assert len(positions_of(game.state)) == 2


def test_the_rest_of_a_record_is_a_note(tmp_path: Path) -> None:
    record = {**a_game().record(), "number": 3}
    (tmp_path / "games.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in (record, {**record, "elo": 1500, "by": "Bob"}))
    )
    first, second = read_games([str(tmp_path / "games.jsonl")])
    assert first.notes == ()
    assert second.notes == ("""not read: '"elo": 1500'""", """not read: '"by": "Bob"'""")
    assert second.state == first.state


@pytest.mark.parametrize(
    ("moves", "reason", "winner", "detail"),
    [
        ("2,2 2,2", "invalid_occupied", 1, f"2,2 is {OCCUPIED}"),
        ("2,2 7,-1", "invalid_off_board", 1, f"7,-1 is {OFF_BOARD}"),
        ("2,2 1,1", "missing", 2, "NameError: name ']' (a.py, line 1)"),
        ("2,2 1,1", "timeout", 2, "killed for CPU time: 10.01 s of CPU (limit 10 s), 10.2 s by the clock (limit 30 s)"),
        ("2,2", "malformed", 1, "output.txt reads 'x' instead of i,j or PASS"),
        ("2,2", "resigned", 1, ""),
    ],
)
def test_our_own_sgf_names_the_fault_that_ended_a_game(
    tmp_path: Path, moves: str, reason: str, winner: int, detail: str
) -> None:
    """The SGF is read as it was kept, and as a review has written it."""
    ended = {"winner": ("Black", "White")[winner - 1], "reason": reason, "detail": detail}
    record = {**a_game().record(), "moves": moves.split(), **ended}
    (tmp_path / "kept.sgf").write_bytes(sgf_of(record))
    (kept,) = read_games([str(tmp_path / "kept.sgf")])
    assert kept.state == from_record("kept", record).state
    assert kept.state.result == (winner, reason, detail)
    (tmp_path / "again.sgf").write_bytes(annotated_sgf(review(kept, Evaluator([], 1_000))))
    (again,) = read_games([str(tmp_path / "again.sgf")])
    assert again.state == kept.state


@pytest.mark.system
def test_the_courses_logs_are_read() -> None:
    games = list(read_games(["data/staff_games.jsonl.gz"]))
    assert len(games) == 2211
    assert {game.black for game in games} & {"student", "aggressive"} == {"student", "aggressive"}


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"nonsense", "a.sgf", "no SGF: it has no game"),
        (b"(;SZ[9];B[aa])", "a.sgf", "node 1, SZ: a board of size '9'"),
        (b"(;SZ[5]AB[aa:ee])", "a.sgf", "so many stones take"),
        (b"some text", "a.txt", "a.txt: column 1: 'some' is not a move"),
        (b"2,2 2,2 nx", "a.txt", "a.txt: column 9: 'nx' is not a move"),
        (b"explorer.html#moves=2,2.2,2", "a.txt", f"a.txt: column 5: move 2: 2,2 is {OCCUPIED}"),
        (b"(;SZ[5];W[bb])", "a.sgf", "node 2, W: move 1 is White's, whose turn it is not"),
        (b"{}\n", "a.jsonl", "game 1: not a position: give moves"),
        (b"\xff\xfe\n", "a.jsonl", "a.jsonl: column 1: .* is not a move"),
        (b"not gzip", "a.jsonl.gz", "a.jsonl.gz: column 1: 'not' is not a move"),
        (b"\x1f\x8b\x08" + bytes(7) + b"\x07", "a.jsonl.gz", "cannot be read"),
    ],
)
def test_what_is_no_game_is_one_clear_line(tmp_path: Path, content: bytes, name: str, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GamesError, match=message) as raised:
        list(read_games([str(tmp_path / name)]))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nosuch"], "^nosuch does not exist: name a file of games, or moves such as 2,2 1,1 PASS$"),
        (["nosuch.txt"], "^nosuch.txt does not exist: name"),
        (["games/"], "^games/ does not exist: name"),
        (["2,2", "a.SGF"], "^a.SGF does not exist: name"),
        (["2,2", "nx"], "is not a move: write"),
        (["2,9"], "2,9"),
        (["explorer.html#nothing"], "^moves: "),
    ],
)
def test_what_is_neither_file_nor_move_is_said(words: list[str], message: str) -> None:
    with pytest.raises(GamesError, match=message) as raised:
        list(read_games(words))
    assert ("does not exist" in str(raised.value)) == ("does not exist" in message)


SGF = b"(;SZ[5]PB[Anna];B[cc];W[bb])"
LINE = json.dumps({"black": "Anna", "white": "b", "moves": ["2,2", "1,1"], "winner": "Black", "reason": "resigned"})


@pytest.mark.parametrize("name", ["A.SGF", "game.txt", "game", "game.jsonl", "game.gz", "GAME.JSON"])
@pytest.mark.parametrize(
    "content",
    [
        SGF,
        b"\xef\xbb\xbf" + SGF,
        SGF.replace(b";B", b"\r\n;B") + b"\r\n",
        SGF.decode().encode("utf-16"),
        gzip.compress(SGF, mtime=0),
        LINE.encode(),
        b"\xef\xbb\xbf" + LINE.encode() + b"\r\n",
        gzip.compress(LINE.encode() + b"\r\n", mtime=0),
    ],
)
def test_a_file_is_what_it_holds_whatever_its_name(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (game,) = read_games([str(tmp_path / name)])
    assert (game.black, game.state.moves) == ("Anna", ("2,2", "1,1"))


def test_what_cannot_be_read_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    files = {
        "a.SGF": SGF,
        "bad.sgf": b"bad",
        "collection.txt": b"(;SZ[5];B[cc])(;SZ[5];B[zz])(;SZ[9];B[cc])(;SZ[5];B[aa])(;SZ[5];B[",
        "empty.sgf": b"",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    faults: list[GamesError] = []
    games = list(read_games([str(tmp_path), str(tmp_path / "missing")], faults.append))
    assert [game.source for game in games] == ["a.SGF", "collection.txt, game 1", "collection.txt, game 4"]
    told = [str(fault).removeprefix(f"{tmp_path}/") for fault in faults]
    assert [text.split(":")[0].split(" does")[0] for text in told] == [
        "bad.sgf",
        "collection.txt, game 2",
        "collection.txt, game 3",
        "collection.txt, game 5",
        "empty.sgf",
        "missing",
    ]
    assert not any("\n" in text for text in told)


def test_a_line_that_is_no_game_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(f"{LINE}\n{{}}\n\n{LINE}\n")
    faults: list[GamesError] = []
    assert len(list(read_games([str(tmp_path)], faults.append))) == 2
    (fault,) = faults
    assert str(fault).startswith("games.jsonl, game 2: not a position")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["2,2", "PASS", "PASS", "1,1"], "the game is over after ply 3: the move after that does not count"),
        (["2,2", "2,2", "1,1", "1,2"], "the game is over after ply 2: the 2 moves after that do not count"),
        (["PASS", "2,2"], "the game is over after ply 1: the move after that does not count"),
    ],
)
def test_moves_after_the_end_are_named(tmp_path: Path, words: list[str], note: str) -> None:
    (game,) = read_games(words)
    assert game.notes == (note,)
    letters = {"PASS": "", "2,2": "cc", "1,1": "bb", "1,2": "cb"}
    nodes = "".join(f";{'BW'[ply % 2]}[{letters[word]}]" for ply, word in enumerate(words))
    (tmp_path / "a.sgf").write_text(f"(;SZ[5]{nodes})")
    (game,) = read_games([str(tmp_path / "a.sgf")])
    assert note in game.notes


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("a.sgf", "(;SZ[5]RE[W+R];B[cc])", "its end does not count: Black resigned at White's turn"),
        ("a.sgf", "(;SZ[5]RE[W+T];B[cc])", "its end does not count: Black lost by 'timeout' at White's turn"),
        ("a.sgf", "(;SZ[5]RE[W+R];B[cc];W[];B[])", "its end does not count: Black resigned after the end of the game"),
        (
            "a.jsonl",
            json.dumps({"black": "a", "white": "b", "moves": "2,2", "winner": 2, "reason": "missing"}),
            "its end does not count: Black lost by 'missing' at White's turn",
        ),
    ],
)
def test_an_end_that_the_game_cannot_have_is_named(tmp_path: Path, name: str, content: str, note: str) -> None:
    (tmp_path / name).write_text(content)
    (game,) = read_games([str(tmp_path / name)])
    assert game.notes == (note,)


def test_a_record_without_an_end_keeps_its_names(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"black": "Anna", "white": "Bob", "moves": ["2,2", "1,1"]}\n'
        '{"staff_agent": "random", "staff_color": 2, "moves": "2,2"}\n'
        '{"black": "Anna", "moves": "2,2"}\n'
    )
    games = list(read_games([str(tmp_path / "a.jsonl")]))
    assert [(game.black, game.white) for game in games] == [("Anna", "Bob"), ("student", "random"), ("Anna", "White")]
    assert all(game.state.result is None and game.notes == () for game in games)


def test_a_game_without_moves_after_its_end_needs_no_note() -> None:
    (game,) = read_games(["2,2", "PASS", "PASS"])
    assert game.notes == ()


@pytest.mark.parametrize("text", ["C3 B4 pass", "X 2,2  O 1,1  X PASS", "explorer.html#moves=2,2.1,1.PASS"])
def test_moves_have_any_form(text: str) -> None:
    (game,) = read_games(text.split())
    assert game.state.moves == ("2,2", "1,1", "PASS")


def test_a_game_may_begin_with_a_position(tmp_path: Path) -> None:
    """A position may come before the moves or among them: as a link, a board, an input.txt or JSON, with its ply."""
    board = "X to move, ply 4\n.....\n.O...\n..X..\n...X.\n....O"
    start = Position(1 << 12 | 1 << 18, 1 << 6 | 1 << 24, None, 4)
    sgf = "(;SZ[5]{}AB[cc][dd]AW[bb][ee];B[aa];W[])"
    texts = {
        "a.sgf": sgf.format(""),
        "b.sgf": sgf.format(";B[ab];W[ba];AE[ab][ba]"),
        "c.txt": board,
        "d.json": json.dumps(start._asdict()),
        "e.jsonl": json.dumps(start._asdict()) + "\n",
        "f.txt": "1\n" + "00000\n02000\n00100\n00010\n00000\n00000\n02000\n00100\n00010\n00002",
        "g.txt": f"see explorer.html#{link_fragment(start, COURSE)}&moves=0,0.PASS",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        (game,) = read_games([str(tmp_path / name)])
        moves = ("0,0", "PASS") if name[0] in "abg" else ()
        assert (game.state.start, game.state.moves, game.state.result) == (start, moves, None), name
        assert positions_of(game.state) == [start, *accumulate_from(start, moves)]
        assert any("taking the smallest, 4" in note for note in game.notes) == (name[0] in "abf")
        assert ("the 2 moves before its last set-up do not count" in game.notes) == (name == "b.sgf")
    (game,) = read_games([texts["g.txt"]])
    assert game.state.start == start


def accumulate_from(start: Position, moves: Sequence[str]) -> list[Position]:
    return list(accumulate(moves, lambda position, move: position.play(parse_move(move)), initial=start))[1:]


def test_a_game_that_begins_late_ends_at_its_24th_ply(tmp_path: Path) -> None:
    start = play_all(START, list(range(0, 11)))._replace(ply=22)
    (game,) = read_games([f"explorer.html#{link_fragment(start, COURSE)}&moves=4,4.4,3"])
    assert game.state.result is not None
    assert (game.state.result.reason, game.state.position.ply) == ("max", 24)
    assert describe(game.state).endswith("(max)")
    over = start._replace(ply=24)
    (game,) = read_games([f"explorer.html#{link_fragment(over, COURSE)}"])
    assert game.state.result == (COURSE.leader(over), "max", "")


def test_variations_stay_beside_the_moves(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[5];B[cc](;W[bb];B[dd](;W[aa])(;W[bc]))(;W[cb](;B[aa])(;B[ab]))(;W[]))")
    (game,) = read_games([str(path)])
    assert game.state.moves == ("2,2", "1,1", "3,3", "0,0")
    assert {number: [line.sequence[0] for line in lines] for number, lines in game.variations.items()} == {
        1: [{"W": [b"cb"]}, {"W": [b""]}],
        3: [{"W": [b"bc"]}],
    }


def test_all_games_of_a_collection_are_read_and_another_komi_is_said(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[5]PB[Anna]KM[6.5]GC[final];B[cc];W[bb])(;sz[5:5];b[aa])")
    first, second = read_games([str(path)])
    assert (first.source, first.black, second.source) == ("games.sgf, game 1", "Anna", "games.sgf, game 2")
    assert first.note == "final"
    assert first.notes == ("it states komi 6.5, and what is said here is for komi 2.5",)
    assert (first.state.moves, second.state.moves) == (("2,2", "1,1"), ("0,0",))


def test_moves_of_a_record_may_be_pairs_or_vertices(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = {"black": "a", "white": "b", "winner": 1, "reason": "forfeit"}
    path.write_text("\n".join(json.dumps({**record, "moves": moves}) for moves in ([[2, 2], "B4"], "2,2 1,1")))
    assert [game.state.moves for game in read_games([str(path)])] == [("2,2", "1,1")] * 2


def test_a_missing_file_is_not_taken_for_moves() -> None:
    with pytest.raises(GamesError, match=r"^game\.sgf does not exist: "):
        list(read_games(["game.sgf"]))


def test_an_empty_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(GamesError, match="this directory contains no games, neither SGF nor JSON lines"):
        list(read_games([str(tmp_path)]))
