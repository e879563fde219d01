"""Ways in which one word changes the meaning of all others: legends, other origins, counts, languages, claims."""

import json
from random import Random

from little_go.solver.position import PASS, SIZE, Position
from little_go.solver.symmetry import key_of
from tests.notation.ways.boards import around, board_of
from tests.notation.ways.files import host_meaning, nodes_of, question
from tests.notation.ways.games import (
    PLAIN,
    Told,
    drawn_game,
    fitting,
    grid,
    host,
    is_possible,
    letters,
    low,
    stones_of,
    tight,
    vertex,
    without_captures,
)
from tests.notation.ways.objects import dumped, record
from tests.notation.ways.registry import WAYS, trap, way
from tests.notation.ways.stones import drawn_board


@trap
def board_with_a_legend(rng: Random) -> Told | None:
    """A line says which sign is which side; half of them in the unusual order."""
    board, mover = board_of(rng), rng.choice([1, 2])
    signs = rng.choice(
        [("X", "O"), ("O", "X"), ("#", "O"), ("O", "#"), ("B", "W"), ("1", "2"), ("2", "1"), ("@", "O"), ("*", "o")]
    )
    empty = "0" if signs[0] in "12" else "."
    rows = [" ".join(row) for row in grid(board, empty + "".join(signs))]
    line = rng.choice(
        ["{b} = Black, {w} = White", "{b}: Black, {w}: White", "Black: {b}, White: {w}", "Black is {b}, White is {w}",
         "{b} = black; {w} = white",
         "({b} is Black, {w} is White)", "Legend: {b} black, {w} white", "Black = {b}\nWhite = {w}",
         "Black plays {b}, White plays {w}",
         "White is {w} and Black is {b}", "{w} = White, {b} = Black", "schwarz = {b}, weiß = {w}",
         "black ({b}) white ({w})"]
    ).format(b=signs[0], w=signs[1])  # fmt: skip
    lines = [line, f"{('Black', 'White')[mover - 1]} to move"]
    meant = fitting(board, mover)
    text = "\n".join([*lines, *rows] if rng.random() < 0.6 else [*rows, *lines])
    return Told(text, meant, is_exact=True) if meant and board.white else None


@trap
def moves_from_another_origin(rng: Random) -> Told:
    """The text says that its numbers count from 1, from the bottom or by columns."""
    game = drawn_game(rng, range(2, 10), passes=0)
    style = rng.randrange(4)
    if style == 0:
        words = [f"{move // SIZE + 1},{move % SIZE + 1}" for move in game.moves]
        line = rng.choice(
            [
                "1-based: {}",
                "Rows and columns count from 1: {}",
                "1-indexed {}",
                "(counting from 1) {}",
                "{} (1-based)",
                "{}\nNumbers start at 1.",
            ]
        )
    elif style == 1:
        words = [f"{move % SIZE},{move // SIZE}" for move in game.moves]
        line = rng.choice(
            [
                "x,y: {}",
                "column,row: {}",
                "(column first) {}",
                "(col, row) {}",
                "{}\nThe column comes first.",
                "x y {}",
                "{} as column,row",
            ]
        )
    elif style == 2:
        words = [f"{SIZE - 1 - move // SIZE},{move % SIZE}" for move in game.moves]
        line = rng.choice(
            [
                "Rows count from the bottom: {}",
                "(0,0 is bottom left) {}",
                "{}\nOrigin: bottom left",
                "origin bottom-left: {}",
            ]
        )
    else:
        words = [f"{'ABCDE'[move % SIZE]}{move // SIZE + 1}" for move in game.moves]
        line = rng.choice(
            [
                "A1 is the top left corner: {}",
                "(A1 = top left) {}",
                "{}\nA1 is at the top left.",
                "Row 1 is at the top: {}",
            ]
        )
    return Told(line.format(" ".join(words)), (game.last,), is_exact=True)


@trap
def moves_and_their_number(rng: Random) -> Told:
    """A count of the moves, which may be wrong."""
    game = drawn_game(rng, range(2, 10))
    words = " ".join(map(rng.choice(PLAIN), game.moves))
    right = rng.random() < 0.5
    count = len(game.moves) if right else len(game.moves) + rng.choice([-1, 1, 2])
    form = rng.choice(
        [
            "{n} moves: {w}",
            "{w} ({n} moves)",
            "{w}\n{n} plies",
            "After {n} plies: {w}",
            "{n} plies played: {w}",
            "Moves ({n}): {w}",
            "{w}\nmoves: {n}",
        ]
    )
    return Told(form.format(n=count, w=words), (game.last,) if right else (), is_exact=True)


@trap
def moves_and_a_claim_in_one_line(rng: Random) -> Told:
    game = drawn_game(rng)
    words = " ".join(map(rng.choice((host, vertex)), game.moves))
    right, wrong = (("Black", "White")[(len(game.moves) + other) % 2] for other in (0, 1))
    good = [
        f"({right} to move)",
        f"[{right} to play]",
        f"- {right} to move",
        "| komi 2.5 | size 5",
        "5x5",
        f"; {right} to play",
        f"and {right} is to move",
    ]
    bad = [f"({wrong} to move)", f"[{wrong} to play]", f"- {wrong} to move", "| size 9", "9x9", f"; {wrong} to play",
    "(komi 7.5)", "handicap 2",
           f"and {wrong} is to move", "on 7x7", f"{wrong}'s turn", "Komi: 6.5", f"turn={wrong[0]}"]  # fmt: skip
    is_right = rng.random() < 0.4
    claim = rng.choice(good if is_right else bad)
    text = f"{words} {claim}" if rng.random() < 0.6 else f"{claim} {words}"
    return Told(text, (game.last,) if is_right else (), is_exact=True)


@trap
def marks_of_french_and_spanish(rng: Random) -> Told | None:
    """N and B: B is Blanc, White. S and W: Schwarz and Weiß."""
    marks = rng.choice([("N", "B"), ("S", "W"), ("n", "b"), ("Negro", "B"), ("K", "S")])
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    style, name = rng.randrange(3), rng.choice((vertex, host))
    if style == 0:
        game = drawn_game(rng, range(2, 9), passes=0)
        words = [f"{marks[ply % 2]} {name(move)}" for ply, move in enumerate(game.moves)]
        return Told(rng.choice([" ", ", ", "\n"]).join(words), (game.last,))
    meant = fitting(board)
    if not meant or len(blacks) < 2 or len(whites) < 2:
        return None
    if style == 1:
        lists = [
            f"{mark}: {', '.join(map(name, points))}" for mark, points in zip(marks, (blacks, whites), strict=True)
        ]
        return Told(rng.choice(["\n", "; "]).join(lists), meant)
    signs = "".join(mark[0] for mark in marks)
    return Told("\n".join(" ".join(row) for row in grid(board, "." + signs)), meant)


@way
def stones_by_point(rng: Random) -> Told | None:
    """Each point with its colour."""
    board = drawn_board(rng)
    stones = [(side, point) for side, points in enumerate(stones_of(board)) for point in points]
    if rng.random() < 0.5:
        rng.shuffle(stones)
    # In the sides' turn this may be a game.
    if all(side == at % 2 for at, (side, _) in enumerate(stones)):
        return None
    name = rng.choice((vertex, low, host, tight))
    names = rng.choice([("B", "W"), ("black", "white"), ("X", "O"), ("Black", "White")])
    style = rng.randrange(6)
    pairs = [(name(point), names[side]) for side, point in stones]
    text = [
        json.dumps(dict(pairs)),
        json.dumps({"board": dict(pairs)}),
        ", ".join(f"{point}={side}" for point, side in pairs),
        "\n".join(f"{point}: {side}" for point, side in pairs),
        "\n".join(f"{side} {point}" for point, side in pairs),
        "\n".join(f"{side} stone at {point}" for point, side in pairs),
    ][style]
    meant = fitting(board)
    return Told(text, meant, is_exact=True) if meant else None


@trap
def bit_sets_in_text(rng: Random) -> Told:
    """Our own numbers in another coat."""
    last = drawn_game(rng).last
    ko, passed = "" if last.ko is None else last.ko, int(last.passed)
    numbers = f"{last.black},{last.white},{ko},{last.ply},{passed}"
    text = rng.choice(
        [
            repr(last),
            f"black={last.black} white={last.white} ko={last.ko} ply={last.ply} passed={last.passed}",
            f"black: {last.black:#x}\nwhite: {last.white:#x}\nko: {last.ko}\nply: {last.ply}\npassed: {last.passed}",
            json.dumps({**record(last), "black": hex(last.black), "white": hex(last.white)}),
            json.dumps({**record(last), "black": f"{last.black:025b}", "white": f"{last.white:025b}"}),
            numbers,
            f"black,white,ko,ply,passed\n{numbers}",
            f"({last.black}, {last.white}, {last.ko}, {last.ply}, {last.passed})",
        ]
    )
    return Told(text, (last,), is_exact=True)


@way
def json_of_the_course(rng: Random) -> Told | None:
    """The contents of ``input.txt`` as an object."""
    game = drawn_game(rng, range(2, 14), passes=0)
    meant = host_meaning(game)
    before, now = ([[int(digit) for digit in row] for row in one.rows()] for one in (game.way[-2], game.last))
    names = rng.choice(
        [
            ("piece_type", "previous_board", "board"),
            ("color", "previous", "current"),
            ("side", "prev_board", "cur_board"),
        ]
    )
    value = dict(zip(names, (game.last.mover, before, now), strict=True))
    return Told(dumped(rng, value), meant, is_exact=True) if meant else None


@trap
def planes_of_a_network(rng: Random) -> Told | None:
    """One board of 0 and 1 for each side: two boards, or one position."""
    board, mover = board_of(rng), rng.choice([1, 2])
    planes = [
        [[mask >> SIZE * row + column & 1 for column in range(SIZE)] for row in range(SIZE)] for mask in board[:2]
    ]
    text = rng.choice(
        [
            str(planes),
            json.dumps({"black": planes[0], "white": planes[1]}),
            json.dumps({"observation": planes, "to_play": mover}),
            "black =\n" + "\n".join(map(str, planes[0])) + "\nwhite =\n" + "\n".join(map(str, planes[1])),
        ]
    )
    meant = fitting(board, mover if "to_play" in text else None)
    return Told(text, meant, is_exact=True) if meant and board.white else None


@trap
def board_with_a_marked_stone(rng: Random) -> Told | None:
    """The last stone has a mark, which may tell the mover."""
    game = drawn_game(rng, range(2, 12), passes=0)
    rows = grid(game.board, rng.choice([".XO", "·●○"]))
    row, column = divmod(game.moves[-1], SIZE)
    opening, closing = rng.choice(
        [("(", ")"), ("[", "]"), ("<", ">"), ("*", "*"), ("{", "}"), ("", "*"), ("", "'"), ("", "!"), ("-", "-")]
    )
    lines = []
    for at, signs in enumerate(rows):
        text = "".join(
            f"{opening}{sign}{closing}" if (at, place) == (row, column) else f" {sign} "
            for place, sign in enumerate(signs)
        )
        lines.append(text)
    meant = tuple({*fitting(game.board), *fitting(game.board, game.last.mover)})
    return Told("\n".join(lines), meant, is_exact=True) if meant else None


@trap
def board_of_numbers(rng: Random) -> Told | None:
    """A diagram: the number of each move stands at its point."""
    game = without_captures(rng, range(3, 10))
    rows = [["." for _ in range(SIZE)] for _ in range(SIZE)]
    for number, move in enumerate(game.moves, 1):
        rows[move // SIZE][move % SIZE] = str(number)
    between = rng.choice([" ", "  ", ""])
    return Told("\n".join(between.join(row) for row in rows), (game.last,), is_exact=True)


@way
def gtp_with_other_commands(rng: Random) -> Told:
    """Times, comments and another komi; a board size after moves clears the board."""
    game = drawn_game(rng, range(2, 10), passes=0)
    lines = [f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(game.moves)]
    style = rng.randrange(6)
    if style == 0:
        more = rng.choice(
            [
                "time_settings 300 30 5",
                "time_left b 120 0",
                "name",
                "version",
                "list_commands",
                "showboard",
                "final_score",
                "protocol_version",
            ]
        )
        lines.insert(rng.randrange(len(lines)), more)
    elif style == 1:
        lines = [f"{line} # good" if rng.random() < 0.5 else line for line in lines]
    elif style == 2:
        lines.insert(rng.randrange(len(lines)), f"# play b {vertex(rng.choice(game.last.legal_moves()))}")
    elif style == 3:
        return Told("\n".join([f"komi {rng.choice(['7.5', '6.5', '0'])}", *lines]), (game.last,), noted="komi")
    elif style == 4:
        other = drawn_game(rng, (2, 4), passes=0)
        before = [f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(other.moves)]
        lines = [*before, rng.choice(["boardsize 5", "clear_board"]), *lines]
    else:
        return Told(" ".join(["gogui-play_sequence", *(line[5:] for line in lines)]), (game.last,), is_exact=True)
    return Told("\n".join(lines), (game.last,))


@way
def gtp_set_position(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    words = [*(f"b {vertex(point)}" for point in blacks), *(f"w {vertex(point)}" for point in whites)]
    meant = fitting(board, 1)
    if not meant:
        return None
    position, lines = meant[0], [f"{rng.choice(['set_position', 'gogui-setup'])} {' '.join(words)}"]
    points = position.legal_moves()[:-1]
    if points and position.ply < 20 and rng.random() < 0.6:
        move = rng.choice(points)
        position = position.play(move)
        lines.append(f"play b {vertex(move)}")
    # Without a move the mover may be either.
    meant = (position,) if len(lines) > 1 else tuple({*meant, *fitting(board)})
    return Told("\n".join(lines), meant, is_exact=True)


@trap
def query_string(rng: Random) -> Told:
    game = drawn_game(rng)
    name = rng.choice((vertex, host))
    line = (
        rng.choice([",", "+", "%20", "."]).join(map(name, game.moves))
        if name is vertex
        else ".".join(map(host, game.moves))
    )
    claim, is_right = rng.choice(
        [
            ("", True),
            ("&size=5", True),
            ("&size=9", False),
            ("&boardsize=19", False),
            (f"&turn={'wb'[len(game.moves) % 2]}", False),
            ("&komi=7.5", False),
        ]
    )
    text = (
        rng.choice(["moves={}", "?moves={}", "https://example.org/go?moves={}", "/play?moves={}"]).format(line) + claim
    )
    return Told(text, (game.last,) if is_right else (), is_exact=True)


@way
def moves_after_a_board_size(rng: Random) -> Told:
    """Words before the moves that name the board."""
    game = drawn_game(rng)
    line = " ".join(map(rng.choice((host, vertex)), game.moves))
    word = rng.choice(
        [
            "9x9",
            "19x19 game:",
            "Board 7x7:",
            "size=9",
            "13 x 13",
            "(9x9)",
            "On a 9 by 9 board:",
            "19路",
            "9路盤",
            "Go 9x9 -",
        ]
    )
    return Told(rng.choice(["{} {}", "{}\n{}", "{}  {}"]).format(word, line))


@way
def json_with_points_and_colours(rng: Random) -> Told:
    game = drawn_game(rng)
    name = rng.choice((vertex, low, host))
    marks = rng.choice([("B", "W"), ("black", "white"), ("b", "w")])
    pairs = [(marks[ply % 2], name(move)) for ply, move in enumerate(game.moves)]
    objects, words = [dict([pair]) for pair in pairs], [" ".join(pair) for pair in pairs]
    value = rng.choice([{"moves": objects}, objects, {"moves": words}, {"moves": pairs}])
    return Told(dumped(rng, value), (game.last,), is_exact=True)


@way
def pairs_of_marked_moves(rng: Random) -> Told:
    """``1. B: C3 W: B4``: numbers, marks and moves at once."""
    game = drawn_game(rng)
    name = rng.choice((vertex, host))
    form = rng.choice(
        [
            "{}. B: {} W: {}",
            "{}. B {} W {}",
            "{}: Black {}, White {}",
            "{}. Black {} White {}",
            "Move {}: X {} O {}",
            "{}) {} / {}",
            "{}. {} - {}",
        ]
    )
    lines = []
    for at in range(0, len(game.moves), 2):
        words = [*map(name, game.moves[at : at + 2]), ""]
        line = form.format(at // 2 + 1, *words[:2])
        if at + 1 == len(game.moves):
            # The last pair has one move.
            line = line.rstrip(" -/")
            line = line[: line.rindex(words[0]) + len(words[0])]
        lines.append(line)
    return Told("\n".join(lines), (game.last,), is_exact=True)


@way
def key_and_a_claim(rng: Random) -> Told:
    last = drawn_game(rng).last
    wrong = ("White", "Black")[last.ply % 2]
    claim = rng.choice(
        [f"{wrong} to move", "Board size: 9", f"It is {wrong}'s turn.", f"ply {last.ply + 1}", "Komi: 7.5"]
    )
    key = rng.choice([str(key_of(last)), hex(key_of(last))])
    return Told(f"{key}\n{claim}" if rng.random() < 0.5 else f"{claim}\n{key}")


#: Ways whose texts are whole, so that a line beside them adds a rule.
_WHOLE = ("moves plain", "moves with marks", "gtp commands", "sgf game", "sgf with stones", "json of ours",
"key alone", "link of ours", "link of a position",
          "input txt", "board plain", "caption of the mover", "caption of our own", "moves numbered by ply",
          "log of the host", "stones by colour",
          "json of katago", "board of katago")  # fmt: skip


@way
def any_form_and_another_rule(rng: Random) -> Told | None:
    """A line with another size, komi, length or a handicap, before or behind a text of any form."""
    name = rng.choice(_WHOLE)
    told = WAYS[name](rng)
    if told is None:
        return None
    line = rng.choice(
        ["Board size: 9x9", "size 19", "9x9", "Komi: 7.5", "komi 0.5", "Handicap: 2 stones", "plies: 8",
         "This is a 7x7 board.", "13x13", "boardsize 9", "Komi = 6.5",
         "The game lasts 30 plies", "handicap=3", "Brettgröße 9x9", "19 x 19", "White has 6.5 komi",
         "Black has a handicap of 2 stones"]
    )  # fmt: skip
    if name == "gtp commands" and line == "komi 0.5":
        # A command of GTP: it is named in a note.
        return None
    # What follows the eleventh line of an input.txt means nothing to the host.
    is_before = name == "input txt" or rng.random() < 0.5
    return Told(f"{line}\n{told.text}" if is_before else f"{told.text}\n{line}")


@trap
def moves_with_passes_in_prose(rng: Random) -> Told | None:
    """A sentence says that a side passed, which is a move that the list lacks."""
    game = drawn_game(rng, range(2, 8), passes=0)
    line = " ".join(map(rng.choice((vertex, host)), game.moves))
    side = ("Black", "White")[len(game.moves) % 2]
    after = game.last.play(PASS)
    claim = rng.choice([f"{side} passed.", f"Then {side} passed.", f"{side} passes", f"(then a pass by {side})"])
    return Told(f"{line}\n{claim}" if rng.random() < 0.6 else f"{line} {claim}", (after,), is_exact=True)


@way
def rows_of_an_object(rng: Random) -> Told | None:
    board = board_of(rng)
    rows = ["".join(row) for row in grid(board, rng.choice([".XO", "012"]))]
    names = rng.choice(
        [
            [f"row{at}" for at in range(5)],
            [str(at) for at in range(5)],
            [f"r{at + 1}" for at in range(5)],
            ["a", "b", "c", "d", "e"],
        ]
    )
    text = rng.choice(
        [json.dumps(dict(zip(names, rows, strict=True))),
         "\n".join(f"{name}: {row}" for name, row in zip(names, rows, strict=True)),
         'board = """\n' + "\n".join(rows) + '\n"""', "board: |\n" + "\n".join(f"  {row}" for row in rows),
         "<board>\n" + "\n".join(f"<row>{row}</row>" for row in rows) + "\n</board>"]
    )  # fmt: skip
    meant = fitting(board)
    return Told(text, meant, is_exact=True) if meant else None


@way
def names_of_players_around_a_board(rng: Random) -> Told | None:
    """Who plays which side decides nothing; whose turn it is does."""
    board, mover = board_of(rng), rng.choice([1, 2])
    side = ("Black", "White")[mover - 1]
    name = ("Ann", "Bob")[mover - 1]
    line = rng.choice(
        [f"Black: Ann, White: Bob. {side} to play", f"Ann (Black) - Bob (White), {side} to move",
         f"Ann is Black and Bob is White. It is {name}'s turn.",
         f"Black: Ann\nWhite: Bob\nTo move: {side}", f"Black: Ann (5k)\nWhite: Bob (3k)\n{side} to move",
         f"Ann (X) vs Bob (O)\n{side} to play",
         f"White: Bob\nBlack: Ann\nNext: {side}"]
    )  # fmt: skip
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant) if meant else None


@way
def log_of_rounds(rng: Random) -> Told | None:
    """The course's script: a heading for each round, boards without the moves' points."""
    game = drawn_game(rng, range(2, 10), passes=0)
    lines = ["=====Round 1=====", rng.choice(["Black:TA White:You", "Black:You White:TA"])]
    for ply, position in enumerate(game.way[1:]):
        rows = [" ".join(" XO"[int(digit)] for digit in row) + " " for row in position.rows()]
        lines += [f"{('Black', 'White')[ply % 2]} makes move...", "-" * 10, *rows, "-" * 10, ""]
    # The ko point and the ply follow from the boards before.
    return Told("\n".join(lines), (game.last,), is_exact=True)


@trap
def board_of_dots_with_the_sides_swapped(rng: Random) -> Told | None:
    """A caption of the mover by sign, with a legend of the signs."""
    board, mover = board_of(rng), rng.choice([1, 2])
    rows = [" ".join(row) for row in grid(board, ".OX")]
    lines = ["Black is O, White is X.", f"{'OX'[mover - 1]} to move"]
    meant = fitting(board, mover)
    return Told("\n".join([*lines, *rows]), meant, is_exact=True) if meant else None


@way
def sgf_input_beside_the_host(rng: Random) -> Told | None:
    """Two forms of two positions in one text."""
    game = drawn_game(rng, range(3, 9), passes=0)
    before = drawn_game(rng, range(3, 9), passes=0)
    if game.last == before.last:
        return None
    sgf = f"(;SZ[5]{''.join(nodes_of(game))})"
    other = rng.choice(
        [
            "\n".join(question(before.way[-2], before.last)),
            " ".join(map(host, before.moves)),
            str(key_of(before.last)),
            f"explorer.html#moves={'.'.join(map(host, before.moves))}",
            dumped(rng, {"moves": " ".join(map(host, before.moves))}),
        ]
    )
    return Told(f"{sgf}\n{other}" if rng.random() < 0.5 else f"{other}\n{sgf}")


@way
def two_forms_of_two_positions(rng: Random) -> Told | None:
    one, two = (drawn_game(rng, range(3, 9), passes=0) for _ in range(2))
    if one.last == two.last:
        return None
    texts = []
    for game in (one, two):
        texts.append(
            [
                f"explorer.html#moves={'.'.join(map(host, game.moves))}",
                " ".join(map(vertex, game.moves)),
                str(key_of(game.last)),
                json.dumps({"moves": " ".join(map(host, game.moves))}),
                "\n".join(f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(game.moves)),
            ]
        )
    first, second = rng.sample(range(5), 2)
    return Told(f"{texts[0][first]}\n{texts[1][second]}")


@trap
def stones_and_another_rule(rng: Random) -> Told | None:
    """Options of a command line that are not ours."""
    board, mover = drawn_board(rng), rng.choice([1, 2])
    blacks, whites = stones_of(board)
    meant = fitting(board, mover)
    if not meant or not blacks or not whites:
        return None
    lists = [",".join(map(vertex, points)) for points in (blacks, whites)]
    size = rng.choice(["", " --size 5", " --size 9"])
    text = (
        f"{rng.choice(['', 'solve ', './go '])}--black {lists[0]} --white {lists[1]} --to-move {'BW'[mover - 1]}{size}"
    )
    return Told(text, () if "9" in size else meant, is_exact=True)


@way
def empty_board(rng: Random) -> Told:
    """The start of the game."""
    text = rng.choice(
        ["\n".join(["....."] * 5), "\n".join([". . . . ."] * 5), "\n".join(["00000"] * 5), '{"moves": ""}',
         '{"moves": []}', "(;SZ[5])", "(;GM[1]FF[4]SZ[5]KM[2.5])",
         json.dumps(record(Position())), str(key_of(Position())), "explorer.html", "boardsize 5\nclear_board",
         "Black to move\n" + "\n".join(["....."] * 5),
         str([[0] * 5] * 5), "...../...../...../...../.....", "little-go query --moves ''"]
    )  # fmt: skip
    return Told(text, (Position(),), is_exact=True)


@trap
def board_from_another_side(rng: Random) -> Told | None:
    """A line that turns the board, or cuts it: refuse."""
    line = rng.choice(
        ["Row 0 is at the bottom", "Row 0 is the bottom", "upside down", "The board is upside down.",
         "seen from White's side", "mirrored", "rotated by 90 degrees",
         "A1 is top left", "only the top half is shown", "the left column is missing", "(flipped)", "transposed",
         "part of a 9x9 board", "the corner of a 19x19 board",
         "columns are rows", "dimension: 9", "19 line board", "Board: 9", "small board (7)", "a 9-line board"]
    )  # fmt: skip
    board = board_of(rng)
    return Told(around(rng, board, [line])) if fitting(board) else None


@trap
def board_and_the_plies_left(rng: Random) -> Told | None:
    """The ply by what is left of 24, or as a fraction."""
    board, mover = board_of(rng), rng.choice([1, 2])
    least = fitting(board, mover)
    if not least:
        return None
    position = least[0]._replace(ply=least[0].ply + 2)
    if position.ply > 22:
        return None
    left = 24 - position.ply
    line = rng.choice(
        ["{l} plies left", "{l} to go", "{l} plies to go", "moves remaining: {l}", "plies left: {l}", "left: {l}",
         "{p}/24", "Ply {p}/24", "{l} moves are left",
         "remaining plies: {l}", "noch {l} Züge", "ply {p} (of 24)", "turn {p} of 24"]
    ).format(l=left, p=position.ply)  # fmt: skip
    # The last form may count from 1.
    other = [position._replace(ply=position.ply - 1)] if line.startswith("turn") else []
    return Told(around(rng, board, [line]), (position, *other)) if is_possible(position) else None


@trap
def points_that_are_no_moves(rng: Random) -> Told:
    """A label says that the points are something else."""
    points = rng.sample(range(25), rng.randint(1, 4))
    name = rng.choice((vertex, host))
    label = rng.choice(
        ["Empty: {}", "Empty points: {}", "Liberties: {}", "Legal moves: {}", "Illegal moves: {}", "Candidates: {}",
         "Corners: {}", "Ko: {}", "Forbidden: {}",
         "Dead stones: {}", "Captured: {}", "Territory: {}", "Eyes: {}", "Not {}", "Never {}", "Atari at {}",
         "Threats: {}", "Marked: {}", "Possible moves: {}"]
    )  # fmt: skip
    return Told(label.format(", ".join(map(name, points))))


@trap
def json_with_a_ko_or_a_pass(rng: Random) -> Told | None:
    """A ko point or a PASS beside moves or a board that has none there."""
    game = drawn_game(rng, range(2, 10), passes=0)
    last = game.last
    free = [point for point in range(25) if not (last.black | last.white) >> point & 1 and point != last.ko]
    ko = rng.choice(free)
    base = {"moves": " ".join(map(host, game.moves))}
    rows = {"board": ["".join(row) for row in grid(game.board, ".XO")], "turn": ("black", "white")[last.mover - 1]}
    style = rng.randrange(5)
    if style == 0:
        return Told(dumped(rng, {**base, "passed": True}))
    if style == 1:
        return Told(dumped(rng, {**base, "ko": rng.choice([ko, vertex(ko), host(ko)])}))
    if style == 2:
        return Told(dumped(rng, {**rows, "ko": rng.choice([[ko // 5, ko % 5], vertex(ko), host(ko)])}))
    if style == 3:
        return Told(dumped(rng, {**rows, "passed": True}), fitting(game.board._replace(passed=True), last.mover))
    return Told(dumped(rng, {"moves": [*map(vertex, game.moves), ""]}), (last.play(PASS),))


@trap
def sgf_that_is_damaged(rng: Random) -> Told:
    """Two sizes, or a comment that does not end, so that the moves behind it are lost."""
    game = drawn_game(rng, range(2, 9))
    nodes = nodes_of(game)
    at = rng.randrange(len(nodes))
    text = rng.choice(
        [
            f"(;SZ[5][9]{''.join(nodes)})",
            f"(;SZ[5]SZ[9]{''.join(nodes)})",
            f"(;SZ[9][5]{''.join(nodes)})",
            f"(;SZ[5]{''.join(nodes[: at + 1])}C[a comment{''.join(nodes[at + 1 :])})",
            f"(;SZ[5]{''.join(nodes)}C[a comment)",
            f"(;SZ[5]{''.join(nodes)}",
            f"(;SZ[5]{''.join(nodes)[:-1]})",
        ]
    )
    return Told(text)


@trap
def sgf_with_the_mover_in_a_comment(rng: Random) -> Told | None:
    """Stones without PL: words say whose turn it is."""
    board, mover = drawn_board(rng), rng.choice([1, 2])
    blacks, whites = ("".join(f"[{letters(point)}]" for point in points) for points in stones_of(board))
    meant = fitting(board, mover)
    said = rng.choice(
        [
            "C[{} to play]",
            "C[{} to move. What now?]",
            "GN[{} to play]",
            "N[{} to move]",
            "C[Problem 3: {} to play and win]",
        ]
    )
    text = f"(;SZ[5]AB{blacks}AW{whites}{said.format(('Black', 'White')[mover - 1])})"
    return Told(text, meant) if meant and blacks and whites else None
