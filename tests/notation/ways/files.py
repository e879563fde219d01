"""SGF and the host's ``input.txt``."""

from random import Random

from little_go.solver.position import PASS, Position
from tests.notation.ways.boards import board_of
from tests.notation.ways.games import (
    Game,
    Told,
    drawn_game,
    fitting,
    host,
    letters,
    stones_of,
    vertex,
    without_captures,
)
from tests.notation.ways.registry import trap, way


def nodes_of(game: Game, stop: str = "") -> list[str]:
    return [f";{'BW'[ply % 2]}[{stop if move == PASS else letters(move)}]" for ply, move in enumerate(game.moves)]


def set_up(board: Position) -> str:
    return "".join(
        f"{name}{''.join(f'[{letters(point)}]' for point in points)}"
        for name, points in zip(("AB", "AW"), stones_of(board), strict=True)
        if points
    )


@way
def sgf_game(rng: Random) -> Told:
    game = drawn_game(rng)
    head = rng.choice(
        [
            "GM[1]FF[4]SZ[5]",
            "SZ[5]",
            "GM[1]SZ[5]KM[2.5]",
            "FF[3]GM[1]SZ[5]PB[Ann]PW[Bob]RE[B+2.5]",
            "SZ[5:5]",
            "GM[1]FF[4]CA[UTF-8]AP[x:1]SZ[5]",
        ]
    )
    between = rng.choice(["", "\n", " "])
    return Told(
        f"(;{head}{between}{between.join(nodes_of(game, rng.choice(['', 'tt'])))})", (game.last,), is_documented=True
    )


@way
def sgf_with_words(rng: Random) -> Told:
    """Comments and marks decide nothing, whatever they say."""
    game = drawn_game(rng)
    nodes = nodes_of(game)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(nodes))
        nodes[at] += rng.choice(
            [
                "C[White to move]",
                "C[9x9? (;B[aa\\])]",
                "LB[aa:1]",
                "TR[bb]",
                "BL[290.5]",
                "C[Komi 7.5 \\] hm]",
                "N[a]",
                "C[Black: C3]",
                "GB[1]",
            ]
        )
    # A property that is in a node twice is damaged SGF.
    names = [node.split("[")[0] for node in nodes]
    twice = any(node.count(f"{name}[") > 1 for node in nodes for name in ("C", "LB", "TR", "BL", "N", "GB"))
    head = rng.choice(
        [
            "C[Black to play and win]",
            "GN[Problem 3: White to move]",
            "EV[5x5]",
            "PB[White]PW[Black]",
            "GC[9x9]",
            "RE[W+R]",
            "TM[300]OT[3x10]",
        ]
    )
    text = f"(;GM[1]SZ[5]{head}{''.join(nodes)})"
    return Told(text, (game.last,), is_documented=bool(names) and not twice)


@way
def sgf_with_stones(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    meant = fitting(board, mover)
    split = rng.choice(["", ";"])
    return (
        Told(
            f"(;SZ[5]{split}{set_up(board)}PL[{'BW'[mover - 1]}])",
            meant,
            is_documented=bool(board.black and board.white),
        )
        if meant
        else None
    )


@way
def sgf_with_stones_and_no_mover(rng: Random) -> Told | None:
    """Without PL the smallest ply tells the mover."""
    board = board_of(rng)
    meant = fitting(board)
    return Told(f"(;SZ[5]{set_up(board)})", meant) if meant and board.white else None


@way
def sgf_with_a_handicap(rng: Random) -> Told | None:
    board = drawn_game(rng, (3, 5, 7), passes=0).board._replace(white=0)
    meant = fitting(board, 2)
    return (
        Told(f"(;GM[1]SZ[5]HA[{board.black.bit_count()}]{set_up(board)})", meant)
        if meant and board.black.bit_count() > 1
        else None
    )


@way
def sgf_with_stones_and_moves(rng: Random) -> Told | None:
    """The first move tells whose turn it was."""
    board, mover = drawn_game(rng, range(2, 8)).board, rng.choice([1, 2])
    meant = fitting(board, mover)
    if not meant:
        return None
    position, text = meant[0], ""
    for _ in range(rng.randint(1, 3)):
        points = position.legal_moves()[:-1]
        if not points or position.ply > 20:
            break
        move = rng.choice(points)
        text += f";{'BW'[position.mover - 1]}[{letters(move)}]"
        position = position.play(move)
    return Told(f"(;SZ[5]{set_up(board)}{text})", (position,)) if text else None


@way
def sgf_of_another_board(rng: Random) -> Told:
    game = drawn_game(rng)
    head = rng.choice(["SZ[9]", "SZ[19]", "GM[1]FF[4]SZ[13]", "SZ[5:9]", "SZ[7]KM[6.5]", "GM[2]SZ[5]", "SZ[4]"])
    prose = rng.choice(["", "", "My 9x9 game: ", "See\n"])
    return Told(f"{prose}(;{head}{''.join(nodes_of(game))})")


@way
def sgf_with_another_komi(rng: Random) -> Told:
    """Other programs write their komi into games: it is named in a note."""
    game = drawn_game(rng)
    komi = rng.choice(["6.5", "7.5", "0.5", "5.5", "0", "375"])
    return Told(f"(;GM[1]SZ[5]KM[{komi}]{''.join(nodes_of(game))})", (game.last,), is_exact=True, noted="komi")


@way
def sgf_of_white_first(rng: Random) -> Told | None:
    game = drawn_game(rng, range(1, 9), passes=0)
    nodes = [f";{'WB'[ply % 2]}[{letters(move)}]" for ply, move in enumerate(game.moves)]
    return Told(f"(;SZ[5]{rng.choice(['', 'PL[W]'])}{''.join(nodes)})")


@way
def sgf_with_a_side_twice(rng: Random) -> Told:
    game = drawn_game(rng, range(3, 10), passes=0)
    nodes = nodes_of(game)
    at = rng.randrange(1, len(nodes) - 1)
    del nodes[at]
    return Told(f"(;SZ[5]{''.join(nodes)})")


@way
def sgf_with_variations(rng: Random) -> Told | None:
    """The main line counts, and the others are listed."""
    game = without_captures(rng, range(3, 9))
    at = rng.randrange(1, len(game.moves))
    others = [move for move in game.way[at].legal_moves()[:-1] if move != game.moves[at]]
    nodes = nodes_of(game)
    other = f"(;{'BW'[at % 2]}[{letters(rng.choice(others))}]{rng.choice(['', 'C[better]'])})"
    return Told(
        f"(;SZ[5]{''.join(nodes[:at])}({''.join(nodes[at:])}){other})", (game.last,), is_documented=True, is_exact=True
    )


@way
def sgf_without_brackets(rng: Random) -> Told | None:
    """Bare nodes, with variations behind them: the first one continues the main line."""
    game = without_captures(rng, range(3, 9))
    at = rng.randrange(1, len(game.moves))
    others = [move for move in game.way[at].legal_moves()[:-1] if move != game.moves[at]]
    nodes = nodes_of(game)
    other = f"(;{'BW'[at % 2]}[{letters(rng.choice(others))}])"
    text = f"{''.join(nodes[:at])}({''.join(nodes[at:])}){other}"
    return Told(text if rng.random() < 0.7 else "".join(nodes), (game.last,), is_exact=True)


@way
def sgf_in_other_words(rng: Random) -> Told:
    game = drawn_game(rng)
    nodes = "".join(nodes_of(game))
    form = rng.choice(
        [
            "{}",
            "({})",
            "Game: (;SZ[5]{})",
            "```\n(;SZ[5]{})\n```",
            "see (;GM[1]SZ[5]{}) from yesterday",
            "(;SZ[5]{}",
            "> (;SZ[5]{})",
            "(;sz[5]{})",
            "(;{})",
        ]
    )
    return Told(form.format(nodes), (game.last,), is_exact=True)


@way
def sgf_and_a_claim(rng: Random) -> Told:
    """A line beside a game that contradicts it."""
    game = drawn_game(rng)
    wrong = ("White", "Black")[len(game.moves) % 2]
    claim = rng.choice(
        [
            f"{wrong} to move",
            f"It is {wrong}'s turn.",
            "Board size: 9x9",
            "Handicap: 2",
            f"Next: {wrong}",
            f"{wrong} to play (9x9)",
        ]
    )
    text = f"(;GM[1]SZ[5]{''.join(nodes_of(game))})"
    return Told(f"{text}\n{claim}" if rng.random() < 0.5 else f"{claim}\n{text}")


@way
def sgf_with_illegal_moves(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 10), passes=0)
    taken = [point for point in range(25) if (game.last.black | game.last.white) >> point & 1]
    bad = rng.choice([letters(rng.choice(taken)), "ff", "ae1", "C3", "a", "zz", "fa"])
    return Told(f"(;SZ[5]{''.join(nodes_of(game))};{'BW'[len(game.moves) % 2]}[{bad}])")


@trap
def sgf_of_two_games(rng: Random) -> Told:
    """The first game counts, with a note; a reader may refuse as well."""
    first, second = drawn_game(rng), drawn_game(rng)
    texts = [f"(;SZ[5]{''.join(nodes_of(game))})" for game in (first, second)]
    return Told("\n".join(texts), (first.last,), is_exact=True)


@way
def sgf_with_stones_that_no_game_has(rng: Random) -> Told:
    more = "".join(f"[{letters(point)}]" for point in rng.sample(range(7, 25), 2))
    return Told(
        rng.choice([f"(;SZ[5]AB[ba][ab]{more}AW[aa]PL[B])", f"(;SZ[5]AB[cc]AW[cc]{more}PL[W])", "(;SZ[5]AW[cc]PL[B])"])
    )


def question(before: Position, now: Position) -> list[str]:
    return [str(now.mover), *before.rows(), *now.rows()]


def host_meaning(game: Game) -> tuple[Position, ...]:
    """Return what the host's file says: stones, ko, mover, PASS, and not the ply."""
    before, now = game.way[-2], game.last
    passed = before[:2] == now[:2]
    # On the first move of the game the ply is certain.
    return fitting(now._replace(ply=0, passed=passed), now.mover)


@way
def input_txt(rng: Random) -> Told | None:
    game = drawn_game(rng)
    lines = question(game.way[-2], game.last)
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    text = rng.choice(["", "", "\ufeff"]) + end.join(lines) + rng.choice(["", end, end + end])
    meant = host_meaning(game)
    return Told(text, meant, is_documented=True) if meant else None


@way
def input_txt_with_more(rng: Random) -> Told | None:
    """Labels, quotation marks, names of files."""
    game = drawn_game(rng, range(2, 16))
    lines = question(game.way[-2], game.last)
    meant = host_meaning(game)
    style = rng.randrange(8)
    if style == 0:
        lines = ["input.txt:", *lines]
    elif style == 1:
        lines = [f"> {line}" for line in lines]
    elif style == 2:
        lines = ["```", *lines, "```"]
    elif style == 3:
        lines = [f"piece_type: {lines[0]}", "previous board:", *lines[1:6], "current board:", *lines[6:]]
    elif style == 4:
        lines = [lines[0], "", *lines[1:6], "", *lines[6:]]
    elif style == 5:
        lines = ["$ cat input.txt", *lines]
    elif style == 6:
        lines = [*lines, "", "output.txt:", "2,2"]
    else:
        lines = ["Hi, this is my input:", "", *lines, "", "What should I play?"]
    return Told("\n".join(lines), meant, is_exact=True) if meant else None


@way
def input_txt_damaged(rng: Random) -> Told | None:
    game = drawn_game(rng, range(2, 16))
    lines = question(game.way[-2], game.last)
    style = rng.randrange(8)
    at = rng.randrange(1, 11)
    if style == 0:
        del lines[at]
    elif style == 1:
        lines[at] += rng.choice("012")
    elif style == 2:
        lines[at] = lines[at][:-1]
    elif style == 3:
        lines[at] = lines[at][:2] + rng.choice("3x9?") + lines[at][3:]
    elif style == 4:
        lines[0] = rng.choice(["3", "0", "B", "12"])
    elif style == 5:
        # The boards are in the wrong order, so no move connects them.
        lines = [lines[0], *lines[6:], *lines[1:6]]
        if game.last.passed:
            return None
    elif style == 6:
        if game.last.passed:
            return None
        lines[0] = str(3 - game.last.mover)
    else:
        del lines[0]
    return Told("\n".join(lines))


@way
def two_input_txt(rng: Random) -> Told | None:
    game = drawn_game(rng, range(3, 12), passes=0)
    texts = [question(game.way[at], game.way[at + 1]) for at in (len(game.moves) - 2, len(game.moves) - 1)]
    between = rng.choice([[], [""], ["---"]])
    if rng.random() < 0.3:
        texts.reverse()
    return Told("\n".join([*texts[0], *between, *texts[1]]))


@way
def board_with_the_colour_above(rng: Random) -> Told | None:
    """Six lines: the mover's number and one board."""
    board, mover = board_of(rng), rng.choice([1, 2])
    meant = fitting(board, mover)
    rows = rng.choice([board.rows(), [" ".join(row) for row in board.rows()], [",".join(row) for row in board.rows()]])
    return Told("\n".join([str(mover), *rows]), meant, is_exact=True) if meant else None


@way
def input_txt_and_a_claim(rng: Random) -> Told | None:
    """A line that names another mover, another size or another ply."""
    game = drawn_game(rng, range(2, 14), passes=0)
    lines = question(game.way[-2], game.last)
    wrong = ("White", "Black")[len(game.moves) % 2]
    claim = rng.choice([f"{wrong} to move", "Board size 9", f"It is {wrong}'s turn", f"ply {len(game.moves) + 1}"])
    # What follows the eleventh line means nothing to the host.
    return Told("\n".join([claim, *lines]))


@way
def output_txt_alone(rng: Random) -> Told | None:
    """The player's answer is one move: a game of one ply."""
    game = drawn_game(rng, (1,), passes=0)
    return Told(rng.choice(["{}", "{}\n"]).format(host(game.moves[0])), (game.last,), is_documented=True)


@way
def text_without_a_position(rng: Random) -> Told:
    name = vertex(rng.randrange(25))
    return Told(
        rng.choice(
            [
                "Hello, how do I win?", "", "   \n", "I am Black and I lose every game.", "White to move", "Komi: 7.5",
                "{}", "null", "true",
                '{"name": "Ann"}', "https://example.org/", "1", "12", "-5", "3.5", "ply 5", "5x5", "?", ".", "{", "[",
                '"', "(", "(;SZ[5]", "#", "\\",
                f"What about {name}?", "black", "X", "O X O X", "1.", "1. ", "play b", "= C3", "undo", "AB", "AB[]",
                "B[]", '{"moves": null}', '{"moves": 5}',
                '{"moves": {}}', '{"key": null}', '{"key": ""}', '{"key": "x"}', '{"black": 1}', '{"ply": 3}',
                "explorer.html#at=3", "#moves", "moves=",
                '{"error": "no position"}', "<html></html>", "-----", "_____ _____", "00000", "00000 00000",
                "| | | | | |", "0", "0x", "0x0", "1e9", "NaN",
            ]
        )
    )  # fmt: skip
