"""JSON, keys and links: our own and other programs'."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any
from urllib.parse import quote

from little_go.solver.position import PASS, SIZE, Position
from little_go.solver.symmetry import key_of
from tests.notation.ways.boards import board_of
from tests.notation.ways.games import (
    Game,
    Told,
    captured_in,
    drawn_game,
    fitting,
    grid,
    host,
    letters,
    low,
    stones_of,
    vertex,
    without_captures,
)
from tests.notation.ways.registry import trap, way
from tests.notation.ways.stones import drawn_board


def dumped(rng: Random, value: Any) -> str:
    return json.dumps(value, indent=rng.choice([None, None, 1, 2]))


def record(position: Position) -> dict[str, Any]:
    return {
        "black": position.black,
        "white": position.white,
        "ko": position.ko,
        "ply": position.ply,
        "passed": position.passed,
    }


@way
def json_of_ours(rng: Random) -> Told:
    game = drawn_game(rng)
    last, moves = game.last, [*map(host, game.moves)]
    stones = [move if move == "PASS" else [int(move[0]), int(move[2])] for move in moves]
    whole = record(last)
    if last.ko is None and not last.passed and rng.random() < 0.5:
        del whole["ko"], whole["passed"]
    value = rng.choice(
        [
            whole,
            whole,
            {"moves": " ".join(moves)},
            {"moves": moves},
            {"moves": stones},
            {"key": str(key_of(last))},
            {"key": key_of(last)},
        ]
    )
    return Told(dumped(rng, value), (last,), is_documented=not ("key" in value and looks_rounded(value["key"])))


def looks_rounded(key: object) -> bool:
    """Whether a key is a number that a float may have rounded, so that a careful reader refuses it."""
    return isinstance(key, int) and (float(key) == key or printed_by_a_browser(float(key)) == str(key))


def printed_by_a_browser(number: float) -> str:
    """Return the shortest digits that give the same float, with zeros behind them."""
    digits = next(text for places in range(17) if float(text := f"{number:.{places}e}") == number)
    mantissa, power = digits.split("e")
    return (mantissa.replace(".", "") + "0" * 30)[: int(power) + 1]


@way
def json_of_ours_with_harmless_keys(rng: Random) -> Told:
    game = drawn_game(rng)
    value: dict[str, Any] = rng.choice(
        [record(game.last), {"moves": " ".join(map(host, game.moves))}, {"key": str(key_of(game.last))}]
    )
    more = {
        "name": "club night", "date": "2024-05-01", "comment": rng.choice(["White to move?", "lost by 3", "ok"]),
        "result": "B+2.5", "event": "finals",
        "winner": rng.choice(["Black", "White", 1, 2]), "seed": 7, "title": "A game", "id": 12, "time": 1.25,
        "seconds": [0.1, 0.2], "note": "hm",
        "black_name": "Ann", "white_name": "Bob",
    }  # fmt: skip
    for name in rng.sample([*more], rng.randint(1, 3)):
        value = {name: more[name], **value} if rng.random() < 0.5 else {**value, name: more[name]}
    return Told(dumped(rng, value), (game.last,))


@way
def json_with_a_deciding_key(rng: Random) -> Told:
    """An unknown key that names another size, a handicap, another ply or a first player."""
    game = drawn_game(rng, range(2, 12))
    value: dict[str, Any] = rng.choice(
        [record(game.last), {"moves": " ".join(map(host, game.moves))}, {"moves": [*map(vertex, game.moves)]}]
    )
    wrong = ["white", "black"][len(game.moves) % 2]
    more: list[dict[str, Any]] = [
        {"boardXSize": 9, "boardYSize": 9}, {"size": 19}, {"board_size": 7}, {"width": 9, "height": 9},
        {"boardsize": 13}, {"handicap": 2}, {"size": "9x9"},
        {"board_width": 9}, {"n": 9}, {"dim": [9, 9]}, {"turn": wrong}, {"to_play": wrong[0].upper()},
        {"nextPlayer": wrong}, {"mover": wrong},
        {"to_move": 2 - len(game.moves) % 2}, {"komi": 7.5}, {"komi": 0.5}, {"plies": 8}, {"max_plies": 8},
        {"undo": 1}, {"boardSize": 9},
        {"currentPlayer": wrong}, {"rules": {"komi": 7.5}}, {"first_player": "white"}, {"SZ": 9},
        {"handicap_stones": ["C3", "D4"]},
    ]  # fmt: skip
    if "moves" in value:
        more += [
            {"initialPlayer": "W"},
            {"initial_player": "white"},
            {"start": "white"},
            {"initialStones": [["B", "A1"], ["W", "B1"]]},
        ]
    extra = rng.choice(more)
    value = {**extra, **value} if rng.random() < 0.5 else {**value, **extra}
    return Told(dumped(rng, value))


@trap
def json_with_a_place(rng: Random) -> Told:
    """A key that names a place in the game: read it, or refuse."""
    game = drawn_game(rng, range(2, 12))
    at = rng.randrange(len(game.moves))
    name = rng.choice(["at", "ply", "move_number", "moveNumber", "position", "current", "index", "analyzeTurn", "show"])
    value = {"moves": " ".join(map(host, game.moves)), name: at}
    return Told(dumped(rng, value), (game.way[at],), is_exact=True)


@way
def json_with_right_extra_keys(rng: Random) -> Told:
    game = drawn_game(rng)
    side = ["black", "white"][len(game.moves) % 2]
    value: dict[str, Any] = rng.choice(
        [record(game.last), {"moves": " ".join(map(host, game.moves))}, {"moves": [*map(vertex, game.moves)]}]
    )
    more: list[dict[str, Any]] = [
        {"size": 5}, {"boardXSize": 5, "boardYSize": 5}, {"board_size": 5}, {"width": 5, "height": 5}, {"turn": side},
        {"to_play": side[0].upper()},
        {"komi": 2.5}, {"plies": 24, "komi": 2.5}, {"handicap": 0}, {"nextPlayer": side},
        {"players": {"black": "Ann", "white": "Bob"}},
    ]  # fmt: skip
    return Told(dumped(rng, {**value, **rng.choice(more)}), (game.last,))


@way
def json_that_contradicts_itself(rng: Random) -> Told | None:
    game = drawn_game(rng, range(3, 12), passes=0)
    other = game.way[-2]
    line = " ".join(map(host, game.moves))
    value: dict[str, Any] = rng.choice(
        [
            {"moves": line, **record(other)},
            {"moves": line, "key": str(key_of(other))},
            {"key": str(key_of(game.last)), **record(other)},
            {"moves": line, "position": record(other)},
            {"moves": line, "board": other.rows()},
            {"board": game.last.rows(), "key": str(key_of(other))},
            {**record(game.last), "moves": line, "stones": {"black": ["A1"], "white": []}},
            {"key": str(key_of(game.last)), "keys": [str(key_of(other))], "moves": line + " PASS"},
        ]
    )
    return Told(dumped(rng, value))


@way
def json_that_no_game_can_have(rng: Random) -> Told:
    game = drawn_game(rng, range(3, 9), passes=0)
    last = game.last
    style = rng.randrange(7)
    values: list[dict[str, Any]] = [
        # Whoever moved last has no stone, and did not pass.
        {"black": last.black, "white": 0, "ply": 2 * (len(game.moves) // 2 + 1), "passed": False},
        {"black": 0, "white": 1 << rng.randrange(25), "ply": 3, "passed": False},
        {"black": last.black, "white": last.white | last.black & -last.black, "ply": last.ply},
        {"black": last.black, "white": last.white, "ply": last.black.bit_count()},
        {"black": last.black, "white": last.white, "ply": 25},
        {"black": 34, "white": 1, "ply": 4},
        {"black": 0, "white": 0, "ply": 5, "passed": False},
    ]
    return Told(dumped(rng, values[style]))


@trap
def json_with_the_forced_pass_left_out(rng: Random) -> Told:
    """Without ``passed`` the PASS that the stones need may be added; a reader may refuse as well."""
    game = drawn_game(rng, (1, 3, 5), passes=0)
    ply = 2 * game.last.black.bit_count()
    value = {"black": game.last.black, "white": 0, "ply": ply}
    return Told(dumped(rng, value), (Position(game.last.black, 0, None, ply, True),))


@way
def json_key_as_a_float(rng: Random) -> Told | None:
    """A float has lost the last bits of a key: refuse, unless the key is small or exactly the float."""
    last = drawn_game(rng).last
    key = key_of(last)
    if float(key) == key:
        return None
    text = rng.choice(["{!r}", "{:e}", "{:.15e}", "{:.1f}", "{:.16E}"]).format(float(key))
    form = rng.choice(['{{"key": {}}}', '{{"key": {}, "value": 3}}', '{{"value": 1, "key": {}}}', '{{"key": "{}"}}'])
    return Told(form.format(text))


@trap
def json_key_rounded_by_a_browser(rng: Random) -> Told | None:
    """JavaScript prints the shortest digits that give the same float, with zeros behind them."""
    last = drawn_game(rng, range(4, 20)).last
    key = key_of(last)
    rounded = printed_by_a_browser(float(key))
    if int(rounded) == key:
        return None
    return Told(f'{{"key": {rounded}}}', (last,), is_exact=True)


@way
def key_alone(rng: Random) -> Told:
    last = drawn_game(rng).last
    key = key_of(last)
    return Told(rng.choice([str(key), hex(key), f"0x{key:X}"]), (last,), is_documented=True)


@trap
def key_in_other_words(rng: Random) -> Told:
    last = drawn_game(rng).last
    key = key_of(last)
    text = rng.choice(
        [f"key: {key}", f"key={key}", f"Key {hex(key)}", f"position {key}", f'"{key}"', f"{key:,}", f"{key:_}",
         f"{key}n", f"{key}L", f"#{key}", f"{key}.0",
         f"{float(key)!r}", f"little-go query {key}", f"{key};", f"({key})", f"[{key}]", f"{key}\n{key}",
         f"{oct(key)}", f"{key:b}"]
    )  # fmt: skip
    return Told(text, (last,), is_exact=True)


@way
def two_keys(rng: Random) -> Told | None:
    one, two = (drawn_game(rng).last for _ in range(2))
    keys = key_of(one), key_of(two)
    text = rng.choice(["{} {}", "{}\n{}", "{}, {}", "[{}, {}]", '{{"keys": [{}, {}]}}', '["{}", "{}"]']).format(*keys)
    return None if one == two else Told(text)


@trap
def json_with_keys_at_several_depths(rng: Random) -> Told:
    """The key at the top is the position; those below it are of other positions."""
    game = drawn_game(rng)
    last = game.last
    child = last.play(rng.choice(last.legal_moves()))
    quoted = rng.random() < 0.5
    key, other = (str(key_of(one)) if quoted else key_of(one) for one in (last, child))
    value: dict[str, Any] = rng.choice(
        [
            {"children": [{"key": other, "value": 3}], "key": key},
            {"best": {"move": "2,2", "key": other}, "key": key},
            {"key": key, "after": {"key": other}},
            {"answer": {"position": {"key": other}}, "key": key, "value": 3},
            {"note": 'a text with "key": 12', "key": key},
            {"note": '{"key": 864691128455135232}', "key": key},
            {"moves_after": [{"key": other}], "key": key},
        ]
    )
    return Told(dumped(rng, value), (last,), is_exact=True)


@way
def json_of_our_commands(rng: Random) -> Told:
    """Keys that stand beside a position in our own records."""
    game = drawn_game(rng)
    last = game.last
    value: dict[str, Any] = record(last)
    value |= rng.choice(
        [
            {"value": 3, "lo": 3, "hi": 3, "best_move": "2,2", "nodes": 0, "sources": ["atlas"]},
            {"value": None, "lo": -25, "hi": 3, "best_move": None, "nodes": 1000, "sources": []},
            {"key": str(key_of(last))},
        ]
    )
    return Told(dumped(rng, value), (last,))


@way
def json_nested(rng: Random) -> Told:
    game = drawn_game(rng)
    inner: dict[str, Any] = rng.choice(
        [{"moves": " ".join(map(host, game.moves))}, record(game.last), {"key": str(key_of(game.last))}]
    )
    name = rng.choice(["game", "position", "state", "result", "data", "payload", "board"])
    value: Any = rng.choice(
        [{name: inner}, {"ok": True, name: inner}, {"data": {name: inner}}, [inner], {name: [inner]}]
    )
    return Told(dumped(rng, value), (game.last,))


@way
def json_not_quite(rng: Random) -> Told:
    """Python's and JavaScript's objects, comments, trailing commas, a fence around them."""
    game = drawn_game(rng)
    line = " ".join(map(host, game.moves))
    text = rng.choice(
        [
            f"{{'moves': '{line}'}}",
            f'{{moves: "{line}"}}',
            f'{{"moves": "{line}",}}',
            f'// game 7\n{{"moves": "{line}"}}',
            f'```json\n{{"moves": "{line}"}}\n```',
            f'"moves": "{line}"',
            f'result = {{"moves": "{line}"}}',
            f"moves: {line}\nkomi: 2.5\n",
            f'moves = "{line}"\nplayer = "Ann"\n',
            f"[game]\nmoves = {line}\n",
            f"<game><moves>{line}</moves></game>",
            json.dumps({"moves": line}).replace('"', '\\"'),
            json.dumps(json.dumps({"moves": line})),
            f'data: {{"moves": "{line}"}}',
            f'{{"MOVES": "{line}"}}',
            f'{{"Moves": "{line}"}}',
            f'{{"moves": "{line}"}} // end',
            str({**record(game.last)}),
        ]
    )
    return Told(text, (game.last,), is_exact=True)


@trap
def json_with_a_key_twice(rng: Random) -> Told | None:
    first, second = drawn_game(rng), drawn_game(rng)
    one, two = (" ".join(map(host, game.moves)) for game in (first, second))
    return None if one == two else Told(f'{{"moves": "{one}", "moves": "{two}"}}', (second.last,), is_exact=True)


@way
def json_of_two_objects(rng: Random) -> Told | None:
    first, second = drawn_game(rng, range(2, 6)), drawn_game(rng, range(2, 6))
    values = [{"moves": " ".join(map(host, game.moves))} for game in (first, second)]
    text = rng.choice([", ", " ", ""]).join(map(json.dumps, values))
    return (
        None
        if first.last == second.last
        else Told(text if rng.random() < 0.6 else json.dumps({"a": values[0], "b": values[1]}))
    )


@way
def json_with_stones(rng: Random) -> Told | None:
    """Lists of stones by colour."""
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    mover = rng.choice([1, 2, None])
    name = rng.choice((vertex, host, low))
    lists: list[Any] = [[*map(name, points)] for points in (blacks, whites)]
    style = rng.randrange(4)
    if style == 1:
        lists = [" ".join(points) for points in lists]
    elif style == 2:
        lists = [[[point // SIZE, point % SIZE] for point in points] for points in (blacks, whites)]
    elif style == 3:
        lists = [", ".join(points) for points in lists]
    one, two = lists
    value: dict[str, Any] = rng.choice(
        [
            {"black": one, "white": two},
            {"black": one, "white": two, "moves": ""},
            {"black": one, "white": two, "moves": []},
            {"B": one, "W": two},
            {"stones": {"black": one, "white": two}},
            {"black_stones": one, "white_stones": two},
            {"blackStones": one, "whiteStones": two},
            {"position": {"black": one, "white": two}},
            {"X": one, "O": two},
            {"setup": {"B": one, "W": two}},
            {"AB": one, "AW": two},
        ]
    )
    if mover is not None:
        key = rng.choice(
            [
                "turn",
                "to_play",
                "to_move",
                "next",
                "nextPlayer",
                "currentPlayer",
                "player",
                "initialPlayer",
                "mover",
                "side",
            ]
        )
        value[key] = rng.choice([("black", "white"), ("B", "W"), ("Black", "White"), (1, 2), ("X", "O")])[mover - 1]
    meant = fitting(board, mover)
    return Told(dumped(rng, value), meant) if meant and blacks and whites else None


@way
def json_with_a_list_of_stones(rng: Random) -> Told | None:
    board, mover = drawn_board(rng), rng.choice([1, 2])
    stones = [(side, point) for side, points in enumerate(stones_of(board)) for point in points]
    form: Any = rng.choice(
        [
            lambda side, point: {"color": ("black", "white")[side], "point": vertex(point)},
            lambda side, point: {"color": "BW"[side], "row": point // SIZE, "col": point % SIZE},
            lambda side, point: ["BW"[side], vertex(point)],
            lambda side, point: {"player": 1 + side, "i": point // SIZE, "j": point % SIZE},
            lambda side, point: "BW"[side] + vertex(point),
        ]
    )
    value: dict[str, Any] = {
        "stones": [form(side, point) for side, point in stones],
        rng.choice(["turn", "to_play", "next"]): "BW"[mover - 1],
    }
    meant = fitting(board, mover)
    return Told(dumped(rng, value), meant) if meant else None


@way
def json_with_a_board(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2, None])
    numbers = [[int(digit) for digit in row] for row in board.rows()]
    signs = grid(board, ".XO")
    rows: Any = rng.choice(
        [numbers, ["".join(row) for row in signs], signs, "\n".join("".join(row) for row in signs),
         [number for row in numbers for number in row],
         "/".join("".join(row) for row in signs), board.rows(),
         [[None if n == 0 else "BW"[n - 1] for n in row] for row in numbers],
         [["" if n == 0 else ("black", "white")[n - 1] for n in row] for row in numbers]]
    )  # fmt: skip
    value: dict[str, Any] = {rng.choice(["board", "rows", "grid", "position", "state", "cells", "stones"]): rows}
    if mover is not None:
        name = rng.choice(
            [
                "turn",
                "to_play",
                "to_move",
                "next",
                "nextPlayer",
                "currentPlayer",
                "player",
                "mover",
                "piece_type",
                "current_player",
            ]
        )
        value[name] = (
            mover
            if name == "piece_type"
            else rng.choice([("black", "white"), ("B", "W"), ("Black", "White"), (1, 2), ("X", "O")])[mover - 1]
        )
    if rng.random() < 0.3:
        value["size"] = 5
    meant = fitting(board, mover)
    return Told(dumped(rng, value), meant, is_exact=True) if meant else None


@way
def json_of_ogs(rng: Random) -> Told:
    """Online-Go: column, row and milliseconds; -1 for a PASS."""
    game = drawn_game(rng)
    moves: list[Any] = [
        [-1, -1, 900] if move == PASS else [move % SIZE, move // SIZE, rng.randint(500, 9000)] for move in game.moves
    ]
    if rng.random() < 0.2:
        moves = [move[:2] for move in moves]
    value: dict[str, Any] = {
        "game_id": 1234, "game_name": "Friendly Match", "width": 5, "height": 5, "initial_player": "black",
        "moves": moves, "phase": "play",
        "komi": 2.5, "handicap": 0, "rules": "chinese",
        "players": {"black": {"username": "ann"}, "white": {"username": "bob"}},
        "initial_state": {"black": "", "white": ""},
    }  # fmt: skip
    if rng.random() < 0.5:
        value = {name: value[name] for name in ("width", "height", "initial_player", "moves")}
    if rng.random() < 0.2:
        return Told(dumped(rng, {**value, "width": 9, "height": 9}))
    return Told(dumped(rng, value), (game.last,), is_exact=True)


@way
def json_of_ogs_with_stones(rng: Random) -> Told | None:
    """``initial_state`` lists stones in SGF's letters, without signs between them."""
    board, mover = drawn_board(rng), rng.choice([1, 2])
    lists = ["".join(map(letters, points)) for points in stones_of(board)]
    meant = fitting(board, mover)
    value: dict[str, Any] = {
        "width": 5,
        "height": 5,
        "initial_player": ("black", "white")[mover - 1],
        "initial_state": {"black": lists[0], "white": lists[1]},
        "moves": [],
    }
    return Told(dumped(rng, value), meant, is_exact=True) if meant else None


@way
def json_of_katago(rng: Random) -> Told:
    game = drawn_game(rng)
    moves = [
        ["BW"[ply % 2], vertex(move).lower() if move == PASS else vertex(move)] for ply, move in enumerate(game.moves)
    ]
    value: dict[str, Any] = {
        "id": "q1",
        "moves": moves,
        "rules": "tromp-taylor",
        "komi": 2.5,
        "boardXSize": 5,
        "boardYSize": 5,
    }
    value |= rng.choice(
        [{}, {"initialStones": []}, {"initialPlayer": "B"}, {"maxVisits": 100}, {"includeOwnership": True}]
    )
    if rng.random() < 0.15:
        return Told(dumped(rng, {**value, "boardXSize": 9, "boardYSize": 9}))
    if rng.random() < 0.2:
        at = rng.randrange(len(moves) + 1)
        return Told(dumped(rng, {**value, "analyzeTurns": [at]}), (game.way[at],))
    return Told(dumped(rng, value), (game.last,))


@way
def json_of_katago_with_stones(rng: Random) -> Told | None:
    """Stones that are there before the moves."""
    board, mover = drawn_board(rng, range(2, 8)), rng.choice([1, 2])
    stones = [["BW"[side], vertex(point)] for side, points in enumerate(stones_of(board)) for point in points]
    meant = fitting(board, mover)
    if not meant:
        return None
    position, moves = meant[0], []
    for _ in range(rng.choice([0, 0, 1, 2])):
        points = position.legal_moves()[:-1]
        if not points or position.ply > 20:
            break
        move = rng.choice(points)
        moves.append(["BW"[position.mover - 1], vertex(move)])
        position = position.play(move)
    value = {
        "id": "q",
        "initialStones": stones,
        "initialPlayer": "BW"[mover - 1],
        "moves": moves,
        "rules": "chinese",
        "boardXSize": 5,
        "boardYSize": 5,
    }
    return Told(dumped(rng, value), (position,))


@way
def json_answer_of_katago(rng: Random) -> Told:
    """The answer to a query holds no position of its own: its moves are proposals."""
    game = drawn_game(rng, range(2, 8))
    words = [*map(vertex, game.moves)]
    value = {
        "id": "q",
        "turnNumber": 3,
        "moveInfos": [{"move": words[0], "visits": 10, "pv": words}],
        "rootInfo": {"winrate": 0.4},
    }
    return Told(dumped(rng, value))


@way
def json_of_sabaki(rng: Random) -> Told | None:
    """A board of Sabaki's: rows of 0, 1 and -1."""
    game = drawn_game(rng, range(2, 14), passes=0)
    signs = [[{"0": 0, "1": 1, "2": -1}[digit] for digit in row] for row in game.board.rows()]
    black, white = captured_in(game)
    mover = game.last.mover
    value: dict[str, Any] = {"width": 5, "height": 5, "signMap": signs}
    more = rng.randrange(3)
    if more == 1:
        value |= {"_captures": [white, black], "_koInfo": {"sign": 0, "vertex": [-1, -1]}, "_players": [1, -1]}
    elif more == 2:
        value["currentPlayer"] = (1, -1)[mover - 1]
    meant = fitting(game.board, mover if more == 2 else None, (black, white) if more == 1 else (0, 0))
    return Told(dumped(rng, value), meant, is_exact=True) if meant else None


@trap
def json_of_openspiel(rng: Random) -> Told:
    """The actions of a state: numbers of points, 25 for a PASS; rows count from the bottom there."""
    game = drawn_game(rng)
    actions = [PASS if move == PASS else (SIZE - 1 - move // SIZE) * SIZE + move % SIZE for move in game.moves]
    names = [f"{'BW'[ply % 2]} {low(move)}" for ply, move in enumerate(game.moves)]
    value: dict[str, Any] = {"game": "go(board_size=5,komi=2.5)", "current_player": len(game.moves) % 2}
    if rng.random() < 0.5:
        return Told(dumped(rng, {**value, "history": names}), (game.last,), is_exact=True)
    return Told(dumped(rng, {**value, "history": actions}), (game.last,), is_exact=True)


@way
def json_of_boardgame_io(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    cells = [None if digit == "0" else str(int(digit) - 1) for row in board.rows() for digit in row]
    meant = fitting(board, mover)
    if not meant:
        return None
    value = {"G": {"cells": cells}, "ctx": {"currentPlayer": str(mover - 1), "turn": meant[0].ply + 1, "numPlayers": 2}}
    return Told(dumped(rng, value), meant, is_exact=True)


@way
def json_of_moves_as_objects(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    form: Any = rng.choice(
        [
            lambda ply, move: {"color": "BW"[ply % 2], "vertex": vertex(move)},
            lambda ply, move: {"colour": ("black", "white")[ply % 2], "move": host(move)},
            lambda ply, move: {"row": move // SIZE, "col": move % SIZE},
            lambda ply, move: {"i": move // SIZE, "j": move % SIZE},
            lambda ply, move: {"ply": ply + 1, "move": vertex(move)},
            lambda ply, move: {"player": 1 + ply % 2, "move": [move // SIZE, move % SIZE]},
            lambda ply, move: {"player": "XO"[ply % 2], "row": move // SIZE, "column": move % SIZE},
            lambda ply, move: {"move": vertex(move), "time": 1.5},
        ]
    )
    moves = [form(ply, move) for ply, move in enumerate(game.moves)]
    value: Any = rng.choice([{"moves": moves}, moves, {"game": moves}, {"history": moves}])
    return Told(dumped(rng, value), (game.last,), is_exact=True)


@way
def json_of_moves_of_each_side(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 12))
    one, two = ([*map(rng.choice((vertex, host)), game.moves[side::2])] for side in (0, 1))
    value = rng.choice(
        [
            {"black_moves": one, "white_moves": two},
            {"moves": {"black": one, "white": two}},
            {"blackMoves": one, "whiteMoves": two},
        ]
    )
    return Told(dumped(rng, value), (game.last, *plain_board(game)), is_exact=True)


def plain_board(game: Game) -> tuple[Position, ...]:
    """Return the board that the two lists show if they are stones; none if stones were captured."""
    if sum(captured_in(game)) or PASS in game.moves:
        return ()
    return fitting(game.board)


@way
def json_of_moves_with_null(rng: Random) -> Told | None:
    """``null`` for a PASS."""
    game = drawn_game(rng, range(2, 10), passes=0.4)
    moves = [None if move == PASS else rng.choice((vertex, host))(move) for move in game.moves]
    return Told(dumped(rng, {"moves": moves}), (game.last,), is_exact=True) if PASS in game.moves else None


@way
def json_around_other_forms(rng: Random) -> Told:
    """SGF, a link or a board in a string."""
    game = drawn_game(rng)
    nodes = "".join(f";{'BW'[ply % 2]}[{letters(move)}]" for ply, move in enumerate(game.moves))
    line = " ".join(map(vertex, game.moves))
    value: Any = rng.choice(
        [{"sgf": f"(;GM[1]SZ[5]{nodes})"}, {"link": f"explorer.html#moves={'.'.join(map(host, game.moves))}"},
         {"pgn": line}, {"text": line}, {"line": line},
         {"game": line}, [line], {"moves": {"text": line}}, {"history": line.split()}, line, line.split()]
    )  # fmt: skip
    return Told(dumped(rng, value), (game.last,), is_exact=True)


@way
def json_of_numbers_that_are_not_whole(rng: Random) -> Told | None:
    last = drawn_game(rng, range(2, 10)).last
    value: Mapping[str, Any] = rng.choice(
        [
            {**record(last), "black": last.black + 0.5},
            {**record(last), "ply": last.ply + 0.5},
            {**record(last), "ply": str(last.ply), "black": str(last.black), "white": str(last.white), "turn": "?"},
            {**record(last), "black": -last.black - 1},
            {**record(last), "ply": None},
            {**record(last), "white": True},
            {**record(last), "ply": last.ply + 1},
            {**record(last), "ko": 99},
        ]
    )
    # One more ply is possible if it was a PASS only.
    return None if value["ply"] == last.ply + 1 else Told(dumped(rng, value))


@way
def link_of_ours(rng: Random) -> Told:
    game = drawn_game(rng)
    base = rng.choice(["explorer.html", "file:///home/ann/explorer.html", "https://example.org/go/explorer.html"])
    text = f"{base}#moves={'.'.join(map(host, game.moves))}"
    end = game.last
    if rng.random() < 0.4:
        at = rng.randrange(len(game.moves) + 1)
        text, end = f"{text}&at={at}", game.way[at]
    if rng.random() < 0.3:
        text += rng.choice(["&mode=review", "&mode=explore&side=black"])
    return Told(text, (end,), is_documented=True)


@way
def link_of_a_position(rng: Random) -> Told:
    last = drawn_game(rng).last
    board = "".join("_XO"[int(digit)] for row in last.rows() for digit in row)
    ko = "-" if last.ko is None else last.ko
    return Told(
        f"explorer.html#from={board}.{last.ply}.{ko}.{'P' if last.passed else '-'}", (last,), is_documented=True
    )


@way
def link_in_a_sentence(rng: Random) -> Told:
    game = drawn_game(rng)
    link = f"https://example.org/explorer.html#moves={'.'.join(map(host, game.moves))}"
    form = rng.choice(
        [
            "See {}",
            "see {}.",
            "[my game]({})",
            "<{}>",
            '<a href="{}">game</a>',
            "> {}",
            "Look: {} !",
            "({})",
            "{}\n{}",
            "URL: {}",
        ]
    )
    escaped = rng.random() < 0.2
    link = link.replace("#", "%23").replace("=", "%3D").replace(",", "%2C") if escaped else link
    return Told(form.format(link, link), (game.last,))


@way
def link_and_a_claim(rng: Random) -> Told:
    """A sentence around a link that contradicts it."""
    game = drawn_game(rng)
    link = f"explorer.html#moves={'.'.join(map(host, game.moves))}"
    wrong = ("White", "Black")[len(game.moves) % 2]
    claim = rng.choice(
        [
            f"{wrong} to move",
            "Board size 9x9",
            f"It is {wrong}'s turn.",
            "Komi: 7.5",
            f"ply {len(game.moves) + 2}",
            "Handicap: 2",
        ]
    )
    return Told(f"{link}\n{claim}" if rng.random() < 0.5 else f"{claim}: {link}")


@way
def link_with_a_deciding_part(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 10))
    wrong = "WB"[len(game.moves) % 2]
    part = rng.choice(
        ["size=9", f"turn={wrong}", f"to_play={wrong}", "komi=7.5", "plies=8", "handicap=2", "boardsize=19",
         f"player={wrong.lower()}", "komi=0.5", "at=99",
         "at=-1", "at=x"]
    )  # fmt: skip
    link = f"explorer.html#moves={'.'.join(map(host, game.moves))}"
    return Told(f"{link}&{part}" if rng.random() < 0.8 else link.replace("#", f"#{part}&"))


@trap
def link_with_a_place_in_other_words(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 10))
    at = rng.randrange(len(game.moves))
    name = rng.choice(["ply", "move", "AT", "pos", "n"])
    return Told(f"explorer.html#moves={'.'.join(map(host, game.moves))}&{name}={at}", (game.way[at],), is_exact=True)


@way
def two_links(rng: Random) -> Told | None:
    first, second = drawn_game(rng, range(2, 6)), drawn_game(rng, range(2, 6))
    links = [f"explorer.html#moves={'.'.join(map(host, game.moves))}" for game in (first, second)]
    return (
        None
        if first.last == second.last
        else Told(rng.choice(["{}\n{}", "{} or {}", "{}, {}", "First {}, then {}"]).format(*links))
    )


@trap
def link_cut_short(rng: Random) -> Told | None:
    """A link in a narrow mail is broken: what is left is another game."""
    game = drawn_game(rng, range(4, 12), passes=0)
    moves = ".".join(map(host, game.moves))
    at = rng.randrange(4, len(moves) - 3)
    # The rest is on the next line, with or without a sign.
    text = f"explorer.html#moves={moves[:at]}{rng.choice(['=', '', '-'])}\n{moves[at:]}"
    return Told(text, (game.last,), is_exact=True)


@way
def link_of_another_page(rng: Random) -> Told:
    game = drawn_game(rng)
    nodes = "".join(f";{'BW'[ply % 2]}[{letters(move)}]" for ply, move in enumerate(game.moves))
    sgf = f"(;SZ[5]{nodes})"
    text = rng.choice([f"https://gokibitz.com/?sgf={sgf}", f"https://example.org/view?sgf={quote(sgf)}",
    f"https://example.org/board?moves={''.join(map(vertex, game.moves))}",
                       f"https://example.org/board#moves={'.'.join(map(host, game.moves))}&size=5"])  # fmt: skip
    return Told(text, (game.last,), is_exact=True)


@way
def json_of_stones_and_moves(rng: Random) -> Told | None:
    """Stones by colour that contradict the moves beside them."""
    game = without_captures(rng, range(3, 8))
    blacks, whites = stones_of(game.last)
    free = [point for point in range(25) if not (game.last.black | game.last.white) >> point & 1]
    blacks[0] = rng.choice(free)
    value = {"black": [*map(host, blacks)], "white": [*map(host, whites)], "moves": " ".join(map(host, game.moves))}
    return Told(dumped(rng, value))
