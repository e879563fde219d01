import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.arena.gtp.protocol import (
    Command,
    Response,
    parse_colour,
    parse_command,
    parse_response,
)
from little_go.notation.movetext import host_move, vertex_name
from little_go.solver.position import POINTS, move_name, parse_move


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name\n", Command("", "name", ())),
        ("name", Command("", "name", ())),
        ("007 play b C3\n", Command("007", "play", ("b", "C3"))),
        ("  3\tplay \t b   C3  \r\n", Command("3", "play", ("b", "C3"))),
        ("na\x00me\x07\x7f\n", Command("", "name", ())),
        ("play b C3#D4\n", Command("", "play", ("b", "C3"))),
        ("-1 name\n", Command("", "-1", ("name",))),
        ("5\n", Command("5", "", ())),
    ],
)
def test_command_of_a_line(line: str, command: Command) -> None:
    assert parse_command(line) == command


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n", "# all of it", "\x01\x02\n"])
def test_line_without_a_command(line: str) -> None:
    assert parse_command(line) is None


@given(st.text())
def test_any_line_is_read(line: str) -> None:
    command = parse_command(line)
    assert command is None or command.id or command.name


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (Response(True, "", ""), "=\n\n"),
        (Response(True, "12", ""), "=12\n\n"),
        (Response(True, "", "C3"), "= C3\n\n"),
        (Response(False, "12", "unknown command"), "?12 unknown command\n\n"),
        (Response(True, "1", "one\ntwo"), "=1 one\ntwo\n\n"),
    ],
)
def test_response_is_written_and_read(response: Response, text: str) -> None:
    assert str(response) == text
    assert parse_response(text.removesuffix("\n\n")) == response


@pytest.mark.parametrize("text", ["", "C3", "!1 C3", "1= C3"])
def test_what_is_no_response(text: str) -> None:
    with pytest.raises(ValueError, match="not a GTP response"):
        parse_response(text)


@pytest.mark.parametrize("move", range(POINTS + 1))
def test_vertex_there_and_back(move: int) -> None:
    for vertex in (vertex_name(move), vertex_name(move).lower()):
        assert parse_move(host_move(vertex)) == move


def test_vertices_count_rows_from_the_bottom() -> None:
    assert host_move("A5") == move_name(0)
    assert host_move("E1") == move_name(POINTS - 1)


def test_vertices_off_the_board_are_told_as_such() -> None:
    # GTP has no column I, so J is the ninth column.
    assert (host_move("J9"), host_move("F1"), host_move("A19")) == ("-4,8", "4,5", "-14,0")


@pytest.mark.parametrize("vertex", ["", "I5", "A0", "5A", "A", "A05", "resign", "2,2", "A100", "C3 "])
def test_what_is_no_vertex(vertex: str) -> None:
    with pytest.raises(ValueError, match="not a vertex"):
        host_move(vertex)


def test_colours() -> None:
    assert [parse_colour(text) for text in ("b", "B", "Black", "w", "W", "WHITE")] == [1, 1, 1, 2, 2, 2]
    with pytest.raises(ValueError, match="not a colour"):
        parse_colour("blue")
