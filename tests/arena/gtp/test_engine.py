"""The engine as a controller sees it: lines are sent, and responses are returned."""

import re
import time
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings

from little_go.arena.gtp.engine import Engine, serve
from little_go.arena.gtp.protocol import MOST_LINE_BYTES, Line, LineReader
from little_go.arena.match.host import State, judge
from little_go.book.files.reader import read_book
from little_go.notation.movetext import vertex_name
from little_go.player.choose import choose_move
from little_go.player.clock import Clock
from little_go.solver.family import COURSE
from little_go.solver.position import POINTS, Position, move_name, parse_move, parse_moves
from tests.arena.helpers import after, states
from tests.arena.match.test_host import KO

ROOT = Path(__file__).parents[3]

#: A game with twelve plies left, in which the player finds the exact winner.
LATE = "2,2 1,2 1,1 2,1 3,1 3,2 1,3 0,2 2,3 3,3 0,1 0,3"

REQUIRED = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)


def engine_after(moves: str) -> Engine:
    """Return an engine after the moves, which are in the host's notation."""
    engine = Engine(None, game=COURSE)
    for ply, move in enumerate(parse_moves(moves)):
        assert engine.respond(f"play {'bw'[ply % 2]} {vertex_name(move)}") == "=\n\n"
    return engine


def board(engine: Engine) -> str:
    response = engine.respond("showboard")
    assert response is not None
    return response


# Reasons


def test_why_a_move_is_worse_is_told_in_vertices() -> None:
    """For a given move and for the last move, the sentences are the same as in the host's notation."""
    engine = engine_after(LATE)
    named = str(engine.respond("littlego-why A3"))
    assert re.match(r"= .*\b[A-E][1-5]\b", named)
    assert not re.search(r"\d,\d", named)
    engine.respond("play b A3")
    assert engine.respond("littlego-why") == named
    service, position = engine._service, after(LATE).position
    told = service.why(position, parse_move("2,0"))
    assert (
        re.sub(r"(\d),(\d)", lambda point: "ABCDE"[int(point[2])] + str(5 - int(point[1])), told) == named[2:].strip()
    )


@pytest.mark.parametrize(
    ("moves", "command", "told"),
    [
        ("", "littlego-why", "? no move has been played"),
        ("2,2", "littlego-why", "= C3 is a best move."),
        ("2,2", "littlego-why c3", "? illegal move"),
        ("2,2 PASS PASS", "littlego-why a1", "? the game has ended"),
    ],
)
def test_why_where_there_is_no_reason(moves: str, command: str, told: str) -> None:
    engine = engine_after(moves)
    assert str(engine.respond(command)).strip() == told


# The protocol


def test_required_commands_are_there() -> None:
    engine = Engine(None, game=COURSE)
    listed = str(engine.respond("list_commands"))[2:].split()
    assert set(REQUIRED) <= set(listed)
    for name in listed:
        assert engine.respond(f"known_command {name}") == "= true\n\n"
    assert engine.respond("known_command reg_genmove") == "= false\n\n"


def test_administration() -> None:
    engine = Engine(None, game=COURSE)
    assert engine.respond("protocol_version") == "= 2\n\n"
    assert engine.respond("1 name") == "=1 Little-Go\n\n"
    assert str(engine.respond("2 version")).startswith("=2")


def test_id_is_repeated_with_results_and_errors() -> None:
    engine = Engine(None, game=COURSE)
    assert engine.respond("17 protocol_version") == "=17 2\n\n"
    assert engine.respond("18 no_such_command") == "?18 unknown command\n\n"
    assert engine.respond("19") == "?19 unknown command\n\n"


def test_comments_and_blank_lines_have_no_response() -> None:
    engine = Engine(None, game=COURSE)
    assert engine.respond("# hello\n") is None
    assert engine.respond("\t \r\n") is None


def test_upper_case_matters_in_commands_but_not_in_colours_and_vertices() -> None:
    engine = Engine(None, game=COURSE)
    assert engine.respond("Name") == "? unknown command\n\n"
    assert engine.respond("play BLACK c3") == "=\n\n"
    assert engine.respond("play w PaSs") == "=\n\n"


@pytest.mark.parametrize(
    "line",
    [
        *("play", "play b", "play b C3 D3", "play red C3", "play b I3", "play b 33", "play b resign"),
        *("genmove", "genmove red", "boardsize", "boardsize five", "komi", "komi much", "known_command", "name x"),
        *(f"littlego-analyze {seconds}" for seconds in ("soon", "0", "-1", "inf", "nan", "1 2")),
    ],
)
def test_syntax_errors(line: str) -> None:
    engine = Engine(None, game=COURSE)
    before = board(engine)
    assert engine.respond(f"4 {line}") == "?4 syntax error\n\n"
    assert board(engine) == before


def test_serve_answers_until_quit() -> None:
    out = StringIO()
    serve(Engine(None, game=COURSE), LineReader(BytesIO(b"1 komi 2.5\r\n\xff\xfe\n\n2 quit\n3 name\n")), out)
    assert out.getvalue() == "=1\n\n? unknown command\n\n=2\n\n"


def test_serve_ends_with_its_input() -> None:
    out = StringIO()
    serve(Engine(None, game=COURSE), LineReader(BytesIO(b"1 komi 2.5")), out)
    assert out.getvalue() == "=1\n\n"


@pytest.mark.parametrize("sign", ["x", "\u00fc"])
def test_a_line_is_cut_where_it_is_read_and_nowhere_else(sign: str) -> None:
    size = len(sign.encode())
    for length, is_whole in ((MOST_LINE_BYTES - 1, True), (MOST_LINE_BYTES, False), (3 * MOST_LINE_BYTES, False)):
        text = b"a" * (length % size) + sign.encode() * (length // size) + b"\n"
        line, after = LineReader(BytesIO(text + b"name\n"))
        assert (line.is_whole, len(line.text.encode()) <= MOST_LINE_BYTES + 2) == (is_whole, True), length
        assert (line.text == text.decode()) == is_whole
        assert after == Line("name\n", True)
    assert Engine(None, game=COURSE).respond("7 " + "x" * MOST_LINE_BYTES) == "?7 unknown command\n\n"


def test_a_line_of_30_mib_is_refused_and_the_next_one_answered() -> None:
    def spent(moves: int) -> float:
        out, before = StringIO(), time.process_time()
        text = b"7 play b " + b"C3 " * moves + b"\n2 name\n" + b"x" * (3 << 20)
        serve(Engine(None, game=COURSE), LineReader(BytesIO(text)), out)
        assert out.getvalue() == "?7 line too long\n\n=2 Little-Go\n\n? line too long\n\n"
        return time.process_time() - before

    few = min(spent(1_000_000) for _ in range(3))
    # A reader that joins all chunks again for each new chunk would take a hundred times as long.
    assert spent(10_000_000) < 40 * few


# Setting up


def test_only_the_size_and_komi_of_little_go() -> None:
    engine = engine_after("2,2")
    assert engine.respond("boardsize 9") == "? unacceptable size\n\n"
    assert engine.respond("komi 6") == "? unacceptable: komi 6: give a half such as 2.5, from -24.5 to 24.5\n\n"
    assert engine.respond("komi nan") == "? unacceptable: komi nan: give a half such as 2.5, from -24.5 to 24.5\n\n"
    assert "ply 1 of 24" in board(engine)
    assert engine.respond("komi 2.50") == "=\n\n"
    assert "ply 1 of 24" in board(engine)


@pytest.mark.parametrize("line", ["clear_board", "boardsize 5"])
def test_board_is_cleared(line: str) -> None:
    engine = engine_after("2,2 PASS PASS")
    assert engine.respond(line) == "=\n\n"
    assert board(engine) == board(Engine(None, game=COURSE))
    assert engine.respond("undo") == "? cannot undo\n\n"


# Playing


@settings(max_examples=50)
@given(states())
def test_what_is_legal_is_what_the_host_takes(state: State) -> None:
    engine = engine_after(" ".join(state.moves))
    colour = "bw"[len(state.moves) % 2]
    for move in range(POINTS + 1):
        result = judge(state, move_name(move)).result
        legal = result is None or result.reason in ("max", "two_passes")
        expected = "=\n\n" if legal else "? illegal move\n\n"
        assert engine.respond(f"play {colour} {vertex_name(move)}") == expected
        if legal:
            assert engine.respond("undo") == "=\n\n"


def test_ko_and_suicide_are_refused() -> None:
    assert engine_after(KO).respond("play w B4") == "? illegal move\n\n"
    assert engine_after(f"{KO} 4,0 4,1").respond("play w B4") == "=\n\n"
    assert engine_after("0,1 4,4 1,0").respond("play w A5") == "? illegal move\n\n"


def test_off_the_board_is_no_vertex_and_out_of_turn_illegal() -> None:
    engine = Engine(None, game=COURSE)
    for line in ("play b F1", "play b A6", "play b A9", "littlego-why A9"):
        assert engine.respond(line) == "? invalid vertex\n\n"
    assert engine.respond("play w C3") == "? illegal move\n\n"
    assert engine.respond("genmove w") == "? it is Black's turn\n\n"


def test_undo_goes_back_to_the_start() -> None:
    engine = Engine(None, game=COURSE)
    boards = []
    for line in ("play b B5", "play w A5", "play b A4", "play w pass", "play b pass"):
        boards.append(board(engine))
        assert engine.respond(line) == "=\n\n"
    for earlier in reversed(boards):
        assert engine.respond("undo") == "=\n\n"
        assert board(engine) == earlier
    assert engine.respond("undo") == "? cannot undo\n\n"


def test_board_is_drawn_with_the_ko_point() -> None:
    assert board(engine_after(KO)).splitlines() == [
        "= ",
        "   A B C D E",
        " 5 . X O . . 5",
        " 4 X + X O . 4",
        " 3 . X O . . 3",
        " 2 . . . . . 2",
        " 1 . . . . X 1",
        "   A B C D E",
        "ply 9 of 24, White to move",
        "",
    ]


# The end


def test_game_ends_after_24_plies() -> None:
    moves = [move_name(point) for point in range(12)]
    engine = engine_after(" PASS ".join(moves))
    assert engine.respond("final_score") == "? cannot score\n\n"
    assert engine.respond("play w pass") == "=\n\n"
    assert engine.respond("final_score") == "= B+9.5\n\n"
    assert board(engine).splitlines()[8] == "the game has ended: B+9.5"


def test_two_passes_end_the_game() -> None:
    engine = engine_after("2,2 PASS")
    assert engine.respond("final_score") == "? cannot score\n\n"
    engine.respond("play b pass")
    assert engine.respond("final_score") == "= W+1.5\n\n"


def test_blacks_pass_on_the_first_ply_ends_the_game() -> None:
    engine = engine_after("PASS")
    assert engine.respond("final_score") == "= W+2.5\n\n"


def test_after_the_end_there_are_only_passes() -> None:
    engine = engine_after("2,2 PASS PASS")
    ended = board(engine)
    assert engine.respond("play w A1") == "? illegal move\n\n"
    assert engine.respond("genmove w") == "= PASS\n\n"
    assert engine.respond("genmove b") == "= PASS\n\n"
    assert engine.respond("play b pass") == "=\n\n"
    assert board(engine) == ended
    for _ in range(3):
        engine.respond("undo")
        assert board(engine) == ended
    engine.respond("undo")
    assert "ply 2 of 24" in board(engine)


# The moves


def test_moves_are_the_players() -> None:
    book = read_book(str(ROOT / "book.json"), game=COURSE)
    engine, position = Engine(book, game=COURSE), Position()
    for colour in "bwbw":
        choice = choose_move(position, Clock(start=0.0), book, game=COURSE)
        assert choice.source == "book"
        assert engine.respond(f"genmove {colour}") == f"= {vertex_name(choice.move)}\n\n"
        position = position.play(choice.move)


def test_win_at_hand_is_taken_by_a_pass() -> None:
    assert engine_after("2,2 0,0 2,1 PASS 1,1 PASS 1,0 PASS").respond("genmove b") == "= PASS\n\n"


def test_budget_counts_from_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    # The process looks as if it had run for an hour. If time were counted from its start, none would be left.
    spent = time.process_time() + 3600
    monkeypatch.setattr(time, "process_time", lambda: spent)
    state = after(LATE)
    expected = choose_move(state.position, Clock(start=spent), game=COURSE)
    assert expected.source == "exact"
    assert engine_after(LATE).respond("genmove b") == f"= {vertex_name(expected.move)}\n\n"


# Analysis


def test_analysis_has_a_line_for_each_move() -> None:
    lines = str(engine_after("2,2 PASS PASS").respond("littlego-analyze"))
    assert lines == "? the game has ended\n\n"
    engine = Engine(None, seconds=0.01, game=COURSE)
    words = [line.split() for line in str(engine.respond("littlego-analyze"))[2:].splitlines() if line]
    assert len(words) == 26
    assert [word for word in words if word[0] == "PASS"] == [
        ["PASS", "proven", "winner", "White", "lo", "0", "hi", "0", "sources", "rules"]
    ]
    assert {tuple(line[2::2]) for line in words} == {("winner", "lo", "hi", "sources")}


@pytest.mark.usefixtures("no_kernel")
def test_analysis_without_the_kernel_says_so() -> None:
    response = Engine(None, game=COURSE).respond("littlego-analyze 1")
    assert (
        response
        == "? the native kernel is not built for this Python: run make setup in a clone, or reinstall the package\n\n"
    )


@pytest.mark.parametrize(
    "command",
    ["time_settings 10 10 DIGITS", "time_left b 10 DIGITS", "lz-analyze DIGITS", "loadsgf game.sgf DIGITS"],
)
@pytest.mark.parametrize("digits", [10, 400, 5000])
def test_a_number_of_any_length_does_not_end_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, digits: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text("(;GM[1]SZ[5];B[cc])")
    engine = engine_after(LATE)
    assert str(engine.respond(command.replace("DIGITS", "9" * digits))).startswith("? ")
    assert str(engine.respond("genmove b")).startswith("= ")


def test_a_device_is_no_game() -> None:
    assert Engine(None, game=COURSE).respond("loadsgf /dev/zero") == "? cannot load file: neither a file nor a pipe\n\n"


# Other games of the family


def test_another_komi_and_length_are_played_for() -> None:
    engine = Engine(None, cpu=0.5, game=COURSE)
    assert (
        engine.respond("littlego-plies 7") == "? unacceptable: 7 plies: games have an even number of plies, 2 to 24\n\n"
    )
    assert engine.respond("littlego-plies 6") == "=\n\n"
    assert engine.respond("komi -0.5") == "=\n\n"
    assert "ply 0 of 6" in board(engine)
    # If Black is ahead by the komi, Black wins at once by a PASS on the first ply, which ends the game.
    assert engine.respond("genmove b") == "= PASS\n\n"
    assert engine.respond("final_score") == "= B+0.5\n\n"
    engine.respond("clear_board")
    engine.respond("komi 0.5")
    for ply in range(6):
        response = engine.respond(f"genmove {'bw'[ply % 2]}")
        assert response is not None
        assert response != "= PASS\n\n"
    assert "the game has ended: W+0.5" in board(engine)
    assert engine.respond("final_score") == "= W+0.5\n\n"


def test_analyses_and_files_are_of_the_game_that_is_played(tmp_path: Path) -> None:
    engine = Engine(None, seconds=10, table_mib=16, game=COURSE)
    for line in ("littlego-plies 8", "komi 0.5", "play b C3", "play w B4"):
        assert engine.respond(line) == "=\n\n"
    lines = str(engine.respond("littlego-analyze")).splitlines()
    assert any("winner White lo 0 hi 0" in line for line in lines)
    assert all("book" not in line and "atlas" not in line for line in lines)
    path = tmp_path / "a.sgf"
    game = "(;GM[1]SZ[5]KM[{}]RU[Little-Go: stones alone count, {} plies];B[cc];W[bb])"
    path.write_text(game.format(0.5, 8))
    assert engine.respond(f"loadsgf {path}") == "=\n\n"
    assert "ply 2 of 8" in board(engine)
    path.write_text("Ann beats Bob " + game.format(0.5, 8).replace(";W[bb]", "(;W[bb])(;W[cb])"))
    assert engine.respond(f"loadsgf {path}") == "= not read: 'Ann beats Bob'; not read: '(;W[cb])'\n\n"
    path.write_text(game.format(0.5, 10))
    assert engine.respond(f"loadsgf {path}") == (
        "? cannot load file: it is of a game of 10 plies, komi 0.5, and this one is of 8 plies, komi 0.5\n\n"
    )
