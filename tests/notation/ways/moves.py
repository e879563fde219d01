"""Ways to write down moves in text: host, GTP, logs, tables, notes."""

# ruff: noqa: RUF001

from random import Random

from little_go.solver.position import PASS, SIZE, IllegalMove, Position
from tests.notation.ways.games import (
    PLAIN,
    Game,
    Told,
    bracketed,
    drawn_game,
    host,
    letters,
    low,
    spaced,
    tight,
    vertex,
    without_captures,
)
from tests.notation.ways.registry import trap, way

MARKS = (("X", "O"), ("B", "W"), ("b", "w"), ("x", "o"), ("Black", "White"), ("black", "white"))


def read_as(game: Game, text: str, *, documented: bool = False, exact: bool = False, noted: str = "") -> Told:
    return Told(text, (game.last,), documented, exact, noted)


@way
def moves_plain(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice(PLAIN)
    between = rng.choice([" ", "  ", ", ", "\n", "\r\n", "\t"])
    return read_as(game, between.join(map(name, game.moves)), documented=True)


@way
def moves_with_other_signs_between(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex, low, tight))
    between = rng.choice(["; ", ";", " - ", " -> ", " → ", "|", " | ", " / ", ", then ", " \u2192 ", "、", "，", " · "])
    return read_as(game, between.join(map(name, game.moves)))


@way
def moves_glued(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    return read_as(game, "".join(map(rng.choice((vertex, low)), game.moves)), documented=True)


@way
def moves_in_brackets(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((bracketed, tight))
    text = rng.choice([", ", " ", "\n", ","]).join(map(name, game.moves))
    return read_as(game, rng.choice(["{}", "[{}]", "({})"]).format(text), documented=True)


@way
def moves_with_marks(rng: Random) -> Told:
    game, name, marks = drawn_game(rng), rng.choice(PLAIN), rng.choice(MARKS)
    between = rng.choice([" ", "  ", ", ", "\n"])
    colon = rng.choice(["", "", ":"])
    words = [f"{marks[ply % 2]}{colon} {name(move)}" for ply, move in enumerate(game.moves)]
    return read_as(game, between.join(words), documented=not colon)


@way
def moves_with_marks_in_other_places(rng: Random) -> Told:
    game, name, marks = drawn_game(rng), rng.choice((host, vertex)), rng.choice(MARKS)
    form = rng.choice(["{1} ({0})", "({0}) {1}", "{1} {0}", "{0}-{1}", "[{0}] {1}", "{0}={1}", "{0}[{1}]", "{0}({1})"])
    words = [form.format(marks[ply % 2], name(move)) for ply, move in enumerate(game.moves)]
    return read_as(game, rng.choice([" ", ", ", "\n"]).join(words))


@way
def moves_with_marks_of_other_languages(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex))
    marks = rng.choice(
        [("黒", "白"), ("黑", "白"), ("●", "○"), ("⚫", "⚪"), ("Schwarz ", "Weiß "), ("Noir ", "Blanc "),
         ("Negro ", "Blanco "),
         ("Nero ", "Bianco "), ("흑 ", "백 "), ("Zwart ", "Wit ")]
    )  # fmt: skip
    words = [f"{marks[ply % 2]}{name(move)}" for ply, move in enumerate(game.moves)]
    return read_as(game, rng.choice([" ", ", ", "\n"]).join(words))


@way
def moves_numbered_by_ply(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice(PLAIN)
    form = rng.choice(["{}. {}", "{}. {}", "{}) {}"])
    words = [form.format(ply, name(move)) for ply, move in enumerate(game.moves, 1)]
    return read_as(game, rng.choice([" ", "\n", "  "]).join(words), documented=". " in words[0])


@way
def moves_numbered_otherwise(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex, tight))
    form = rng.choice(
        ["{}: {}", "#{} {}", "{}.{}", "({}) {}", "[{}] {}", "{} {}", "{}\t{}", "Move {}: {}", "move {}: {}", "{}- {}",
         "Ply {}: {}",
         "M{}: {}", "{}手目 {}", "第{}手 {}", "No. {} {}", "| {} | {} |", "**{}** {}", "{}: **{}**"]
    )  # fmt: skip
    words = [form.format(ply, name(move)) for ply, move in enumerate(game.moves, 1)]
    return read_as(game, rng.choice(["\n", "\n", " ", ", "]).join(words), exact=True)


@way
def moves_numbered_by_pair(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice(PLAIN)
    form = rng.choice(["{}. {}", "{}. {}", "{}) {}"])
    words = [
        form.format(at // 2 + 1, " ".join(map(name, game.moves[at : at + 2]))) for at in range(0, len(game.moves), 2)
    ]
    return read_as(game, rng.choice([" ", "\n"]).join(words), documented=len(game.moves) > 2 and ". " in words[0])


@way
def moves_numbered_as_in_chess(rng: Random) -> Told:
    """``1... B4`` is White's move of the first pair."""
    game, name = drawn_game(rng), rng.choice((vertex, host))
    dots = rng.choice(["...", "...", "…", ".."])
    words = [f"{ply // 2 + 1}{dots if ply % 2 else '.'} {name(move)}" for ply, move in enumerate(game.moves)]
    ends = rng.choice(["", "", " *", " 1-0", " 0-1"])
    return read_as(game, rng.choice([" ", "\n"]).join(words) + ends)


@way
def moves_numbered_with_gaps(rng: Random) -> Told:
    """A number is missing, doubled or out of order, so moves are missing."""
    game, name = drawn_game(rng, range(3, 12)), rng.choice(PLAIN)
    numbers = [*range(1, len(game.moves) + 1)]
    at = rng.randrange(1, len(numbers))
    change = rng.randrange(4)
    if change == 0:
        numbers[at:] = [number + rng.randint(1, 3) for number in numbers[at:]]
    elif change == 1:
        numbers = [number + rng.randint(1, 4) * 2 for number in numbers]
        numbers = [*range(numbers[0], numbers[0] + len(numbers))]
    elif change == 2:
        numbers[at - 1], numbers[at] = numbers[at], numbers[at - 1]
    else:
        numbers[at] = numbers[at - 1] if at != 1 else numbers[at] + 5
    form = rng.choice(["{}. {}", "{}) {}", "{}. {}"])
    words = [form.format(number, name(move)) for number, move in zip(numbers, game.moves, strict=True)]
    return Told(rng.choice([" ", "\n"]).join(words))


@way
def moves_of_white_first(rng: Random) -> Told | None:
    """The text begins in the middle of a game, or with White: no such game starts from the empty board."""
    game, name = drawn_game(rng, range(1, 9), passes=0), rng.choice((vertex, host))
    words = [*map(name, game.moves)]
    marks = rng.choice([("W", "B"), ("White", "Black"), ("O", "X"), ("白", "黒")])
    text = rng.choice(
        [
            f"1... {' '.join(words)}",
            f"2... {' '.join(words)}",
            f"{rng.randint(3, 9)}. {' '.join(words)}",
            " ".join(f"{marks[ply % 2]} {word}" for ply, word in enumerate(words)) + f" {marks[len(words) % 2]} pass",
            "White first: " + " ".join(words),
            "White starts. " + " ".join(words),
        ]
    )
    return None if len(words) < 2 else Told(text)


@way
def moves_with_a_mark_out_of_turn(rng: Random) -> Told:
    """Every move has its mark, and one side moves twice in a row after the sides have alternated."""
    game, name = drawn_game(rng, range(4, 12), passes=0), rng.choice(PLAIN)
    marks = rng.choice(MARKS)
    sides = [ply % 2 for ply in range(len(game.moves))]
    at = rng.randrange(2, len(sides))
    sides[at:] = [1 - side for side in sides[at:]]
    # With a comma, or in lines, each mark is of its own move.
    words = [f"{marks[side]} {name(move)}" for side, move in zip(sides, game.moves, strict=True)]
    return Told(rng.choice([" ", "\n", ", "]).join(words))


@way
def moves_as_tuples_with_ply(rng: Random) -> Told | None:
    """Rows of ply, row and column, with or without captures."""
    game = drawn_game(rng, range(3, 12), passes=0)
    rows = []
    for ply, move in enumerate(game.moves, 1):
        before, after = game.way[ply - 1], game.way[ply]
        stones = [(one.black | one.white).bit_count() for one in (before, after)]
        rows.append([ply, move // SIZE, move % SIZE, stones[0] + 1 - stones[1]])
    width = rng.choice([3, 4])
    # Three numbers may be row, column and colour as well.
    if any(all(row[at] == 2 - row[0] % 2 for row in rows) for at in (1, 2)):
        return None
    rows = [row[:width] for row in rows]
    text = rng.choice(
        [
            "\n".join(",".join(map(str, row)) for row in rows),
            "\n".join(" ".join(map(str, row)) for row in rows),
            "\n".join("\t".join(map(str, row)) for row in rows),
            str(rows),
            str([tuple(row) for row in rows]),
            "\n".join(str(tuple(row)) for row in rows),
        ]
    )
    return Told(text, (game.last,), is_exact=True)


@way
def moves_as_tuples_with_colour(rng: Random) -> Told | None:
    """Rows of row, column and colour, or of colour, row and column."""
    game = drawn_game(rng, range(3, 12), passes=0)
    first = rng.random() < 0.5
    rows = [
        [1 + ply % 2, move // SIZE, move % SIZE] if first else [move // SIZE, move % SIZE, 1 + ply % 2]
        for ply, move in enumerate(game.moves)
    ]
    text = rng.choice(
        [
            "\n".join(",".join(map(str, row)) for row in rows),
            str(rows),
            str([tuple(row) for row in rows]),
            "\n".join(str(tuple(row)) for row in rows),
        ]
    )
    # If the sides alternate in the other order as well, or the plies count, the text is ambiguous.
    others = ([row[2] if first else row[0] for row in rows], [1 + ply % 2 for ply in range(len(rows))])
    counts = [row[0] for row in rows] == [*range(1, len(rows) + 1)]
    return None if others[0] == others[1] or counts else Told(text, (game.last,), is_exact=True)


@way
def moves_with_colour_letters_in_tuples(rng: Random) -> Told:
    game = drawn_game(rng)
    marks = rng.choice([("B", "W"), ("b", "w"), ("black", "white"), ("X", "O")])
    name = rng.choice((vertex, low, host))
    pairs = [(marks[ply % 2], name(move)) for ply, move in enumerate(game.moves)]
    text = rng.choice(
        [str(pairs), str([list(pair) for pair in pairs]), str(pairs).replace("'", '"'), "\n".join(map(str, pairs))]
    )
    return read_as(game, text)


@way
def moves_in_a_table(rng: Random) -> Told:
    """CSV and the like, with the columns' names."""
    game = drawn_game(rng)
    mark, name = rng.choice(MARKS), rng.choice((vertex, low))
    rows: list[list[str]]
    style = rng.randrange(6)
    if style == 0:
        head, rows = ["ply", "colour", "move"], [[str(p + 1), mark[p % 2], name(m)] for p, m in enumerate(game.moves)]
    elif style == 1:
        head, rows = (
            ["move", "player", "vertex"],
            [[str(p + 1), mark[p % 2], name(m)] for p, m in enumerate(game.moves)],
        )
    elif style == 2:
        head, rows = ["ply", "move"], [[str(p + 1), name(m)] for p, m in enumerate(game.moves)]
    elif style == 3:
        head = ["Black", "White"]
        rows = [[*map(name, game.moves[at : at + 2])] for at in range(0, len(game.moves), 2)]
    elif style == 4:
        head = ["#", "Black", "White"]
        rows = [[str(at // 2 + 1), *map(name, game.moves[at : at + 2])] for at in range(0, len(game.moves), 2)]
    else:
        head, rows = ["color", "move"], [[mark[p % 2], name(m)] for p, m in enumerate(game.moves)]
    between = rng.choice([",", ";", "\t", ", ", " | "])
    lines = [between.join(row) for row in [head, *rows]]
    if between == " | ":
        lines = [f"| {line} |" for line in lines]
        lines.insert(1, "|" + "---|" * len(head))
    return read_as(game, "\n".join(lines), exact=True)


@way
def moves_in_a_table_of_rows_and_columns(rng: Random) -> Told:
    """CSV with a row's and a column's number, counted from 0."""
    game = drawn_game(rng, range(2, 14), passes=0)
    style = rng.randrange(4)
    head, rows = [
        ("row,col", [[m // SIZE, m % SIZE] for m in game.moves]),
        ("i,j", [[m // SIZE, m % SIZE] for m in game.moves]),
        ("ply,row,col", [[p, m // SIZE, m % SIZE] for p, m in enumerate(game.moves, 1)]),
        ("row,column,colour", [[m // SIZE, m % SIZE, 1 + p % 2] for p, m in enumerate(game.moves)]),
    ][style]
    return read_as(game, "\n".join([head, *(",".join(map(str, row)) for row in rows)]), exact=True)


@way
def moves_in_a_table_of_columns_and_rows(rng: Random) -> Told | None:
    """The column comes first, as the header says."""
    game = drawn_game(rng, range(2, 14), passes=0)
    head = rng.choice(["col,row", "column,row", "j,i", "column;row"])
    sign = head.strip("abcdefghijklmnopqrstuvwxyz")
    return read_as(game, "\n".join([head, *(f"{m % SIZE}{sign}{m // SIZE}" for m in game.moves)]), exact=True)


@way
def moves_behind_a_label(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex))
    line = rng.choice([" ", ", "]).join(map(name, game.moves))
    label = rng.choice(
        ["Moves: {}", "moves: {}", "Line: {}", "Better: {}", "Game: {}", "My moves: {}", "moves = {}", "moves={}",
         "Moves so far: {}",
         "Sequence: {}", "History: {}", "move_list = [{}]", "Züge: {}", "Coups : {}", "Jugadas: {}", "着手: {}",
         "棋谱：{}",
         'moves = "{}"', "<moves>{}</moves>", "`{}`", '"{}"', "Bob: {}", "Best line: {}", "- {}", "Moves ({}):"]
    )  # fmt: skip
    return read_as(game, label.format(line), documented=label in ("Better: {}", "Line: {}", "Moves: {}"))


@way
def a_command(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex))
    line = " ".join(map(name, game.moves))
    form = rng.choice(
        ['little-go query --moves "{}"', "$ little-go query --moves '{}'", 'little-go review --moves "{}"']
    )
    return read_as(game, form.format(line), documented=True)


@way
def a_command_for_another_game(rng: Random) -> Told:
    """The readers are asked about the course's game."""
    game = drawn_game(rng, range(1, 7))
    options = rng.choice(["--plies 8", "--komi 0.5", "--plies 20 --komi 4.5", "--komi 7.5", "--plies=10"])
    return Told(f'little-go query --moves "{" ".join(map(host, game.moves))}" {options}')


@way
def a_command_with_a_ply(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 12))
    at = rng.randrange(len(game.moves))
    form = rng.choice(['little-go query --moves "{}" --ply {}', 'little-go query "{}" --ply {}', "query {} --ply {}"])
    return Told(form.format(" ".join(map(host, game.moves)), at), (game.way[at],))


@way
def a_command_in_new_words(rng: Random) -> Told:
    game = drawn_game(rng)
    line = " ".join(map(rng.choice((host, vertex)), game.moves))
    form = rng.choice(
        ['little-go query "{}"', "$ little-go query '{}'", "> little-go query {}", 'python -m little_go query "{}"',
         "uvx little-go query '{}'", 'C:\\> little-go query "{}"', 'little-go query "{}" --json',
         'little-go query --seconds 5 "{}"']
    )  # fmt: skip
    return read_as(game, form.format(line))


@way
def gtp_commands(rng: Random) -> Told:
    game = drawn_game(rng)
    mark, name = rng.choice([("b", "w"), ("B", "W"), ("black", "white")]), rng.choice((vertex, low))
    lines = [f"play {mark[ply % 2]} {name(move)}" for ply, move in enumerate(game.moves)]
    head = rng.choice([[], ["boardsize 5"], ["boardsize 5", "clear_board"], ["boardsize 5", "clear_board", "komi 2.5"]])
    lines = [*head, *lines]
    if rng.random() < 0.3:
        lines = [f"{number} {line}" for number, line in enumerate(lines, 1)]
    return read_as(game, rng.choice(["\n", "\r\n"]).join(lines), documented=True)


@way
def gtp_undo(rng: Random) -> Told:
    game = drawn_game(rng, range(2, 12))
    lines = [f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(game.moves)]
    count = rng.randint(1, len(lines))
    if count == len(lines) or rng.random() < 0.2:
        lines += ["clear_board", *lines]
        return Told("\n".join(lines), (game.last,), is_documented=True)
    return Told("\n".join([*lines, *["undo"] * count]), (game.way[-1 - count],), is_documented=True)


@way
def gtp_of_another_board(rng: Random) -> Told:
    game = drawn_game(rng, range(1, 9))
    lines = [f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(game.moves)]
    head = rng.choice(
        [
            ["boardsize 9"],
            ["boardsize 19", "clear_board"],
            ["rectangular_boardsize 5 7"],
            ["boardsize 5", f"set_free_handicap {vertex(rng.choice(game.last.legal_moves()[:-1] or [0]))} A1"],
            ["fixed_handicap 2"],
            ["boardsize 5", "place_free_handicap 2"],
            ["loadsgf game.sgf 5"],
        ]
    )
    return Told("\n".join([*head, *lines]))


@way
def gtp_log(rng: Random) -> Told:
    """Commands with their answers; some moves are the program's."""
    game = drawn_game(rng)
    sides = ("b", "w") if rng.random() < 0.5 else ("black", "white")
    own = rng.choice([0, 1, None])
    prompt = rng.choice(["", "", "> ", "GTP> ", ">> "])
    lines = [f"{prompt}boardsize 5", "= ", "", f"{prompt}clear_board", "=", ""] if rng.random() < 0.6 else []
    if rng.random() < 0.3:
        lines += [f"{prompt}name", "= Little-Go", ""]
    for ply, move in enumerate(game.moves):
        if own == ply % 2:
            lines += [f"{prompt}genmove {sides[ply % 2]}", f"= {vertex(move)}", ""]
        else:
            lines += [f"{prompt}play {sides[ply % 2]} {vertex(move)}", "= ", ""]
    return read_as(game, "\n".join(lines))


@trap
def gtp_log_with_faults(rng: Random) -> Told | None:
    """A move that the engine refused was not played, and ``reg_genmove`` plays none."""
    game = drawn_game(rng, range(2, 10), passes=0)
    at = rng.randrange(1, len(game.moves) + 1)
    lines = ["boardsize 5", "= ", ""]
    for ply, move in enumerate(game.moves):
        if ply == at:
            lines += _refused(rng, game, ply)
        lines += [f"play {'bw'[ply % 2]} {vertex(move)}", "= ", ""]
    if at == len(game.moves):
        lines += _refused(rng, game, at)
    return read_as(game, "\n".join(lines))


def _refused(rng: Random, game: Game, ply: int) -> list[str]:
    side, point = "bw"[ply % 2], vertex(game.moves[rng.randrange(ply)])
    free = vertex(rng.choice(game.way[ply].legal_moves()))
    return rng.choice(
        [
            [f"play {side} {point}", "? illegal move", ""],
            [f"reg_genmove {side}", f"= {free}", ""],
            [f"play {side} {free}", "= ", "", "undo", "= ", ""],
            [f"genmove {side}", f"= {free}", "", "undo", "=", ""],
            [f"kgs-genmove_cleanup {side}", "? unknown command", ""],
        ]
    )


@way
def gtp_setup_of_gogui(rng: Random) -> Told | None:
    from tests.notation.ways.games import fitting, stones_of

    board = drawn_game(rng, range(2, 10)).board
    blacks, whites = stones_of(board)
    words = [*(f"b {vertex(point)}" for point in blacks), *(f"w {vertex(point)}" for point in whites)]
    mover = rng.choice([1, 2])
    meant = fitting(board, mover)
    return Told(f"gogui-setup {' '.join(words)}\ngogui-setup_player {'bw'[mover - 1]}\n", meant) if meant else None


@way
def log_of_the_host(rng: Random) -> Told:
    """What the course's host prints with ``-v``, from the first move on."""
    game = drawn_game(rng, passes=0.03)
    words = rng.choice([("X", "O"), ("Black", "White")])
    lines = []
    if words[0] == "X" and rng.random() < 0.5:
        lines += ["X stands for black chess, O stands for white chess.", *blank_board(game.way[0])]
    for ply, move in enumerate(game.moves):
        lines.append(f"{words[ply % 2]} makes move...")
        if words[0] == "X" and rng.random() < 0.9:
            lines.append("PASS" if move == PASS else f"({move // SIZE}, {move % SIZE})")
        lines += [*blank_board(game.way[ply + 1]), ""]
    return read_as(game, "\n".join(lines), exact=True)


@way
def log_of_the_host_with_the_next_line(rng: Random) -> Told:
    """The log ends with the announcement of the next move."""
    game = drawn_game(rng, passes=0)
    words = rng.choice([("X", "O"), ("Black", "White")])
    lines = []
    for ply in range(len(game.moves)):
        lines += [f"{words[ply % 2]} makes move...", *blank_board(game.way[ply + 1]), ""]
    return read_as(game, "\n".join([*lines, f"{words[len(game.moves) % 2]} makes move..."]), exact=True)


def blank_board(position: Position) -> list[str]:
    """Return a board as the host prints it: a blank for an empty point."""
    rows = [" ".join(" XO"[int(digit)] for digit in row) + " " for row in position.rows()]
    return ["-" * 10, *rows, "-" * 10]


@way
def lines_of_players(rng: Random) -> Told:
    game = drawn_game(rng)
    form = rng.choice(
        ["Player {n} move: {t}", "Player {n}: {t}", "Player {n} plays {t}", "player {n} -> {t}", "{c} plays {h}",
         "{c} played {v}.", "{c}: {v}",
         "{c} ({s}) plays {h}", "{s}: {h}", "{c}: {t}", "{s} -> {v}", "[{c}] {v}", "{c}'s move: {v}",
         "{s} makes move {t}", "{c} moves {h}",
         "Ply {p}: {c} {v}", "Move {p} ({c}): {v}", "{p}. {c}: {h}", "{p}. {s} {v}", "Turn {p}: {c} plays {v}",
         "{c} places a stone at {t}",
         "Agent {n} ({c}): {v}", "{p:02d} {s} {v}", "MOVE {s} {h}", "{c} to {v}", "{p}: {s}, {h}"]
    )  # fmt: skip
    lines = [
        form.format(
            n=1 + ply % 2,
            c=("Black", "White")[ply % 2],
            s="XO"[ply % 2],
            p=ply + 1,
            t=bracketed(move),
            h=host(move),
            v=vertex(move),
        )
        for ply, move in enumerate(game.moves)
    ]
    return read_as(game, rng.choice(["\n", "\n", "\r\n"]).join(lines), exact=True)


@trap
def moves_with_a_variation(rng: Random) -> Told | None:
    """A variation in brackets is no move of the game."""
    game = without_captures(rng, range(3, 9))
    at = rng.randrange(1, len(game.moves))
    before = game.way[at - 1]
    others = [move for move in before.legal_moves()[:-1] if move != game.moves[at - 1]]
    other = rng.choice(others)
    answer = rng.choice(before.play(other).legal_moves()[:-1])
    inside = [vertex(other), vertex(answer)][: rng.choice([1, 2])]
    words = [*map(vertex, game.moves)]
    numbered = rng.random() < 0.5
    # Without a number or a word, brackets may be the writer's way to point at a move.
    word = rng.choice(["", "or "]) if numbered else rng.choice(["or ", "better: ", "variation: "])
    if numbered:
        words = [f"{ply // 2 + 1}. {word}" if ply % 2 == 0 else word for ply, word in enumerate(words)]
        inside[0] = f"{(at - 1) // 2 + 1}{'...' if at % 2 == 0 else '.'} {inside[0]}"
    opening, closing = rng.choice([("(", ")"), ("[", "]"), ("{", "}")])
    words.insert(at, f"{opening}{word}{' '.join(inside)}{closing}")
    return Told(" ".join(words), (game.last,), is_exact=True)


@trap
def moves_with_remarks(rng: Random) -> Told:
    """Signs and remarks behind moves: annotations, times, results."""
    game = drawn_game(rng, passes=0)
    name = rng.choice((vertex, host))
    marks = rng.choice(
        [["!", "?", "!!", "??", "!?", ""], [" 0.8s", " 1.2s", ""], [" {good}", " {hm}", ""], [" (good)", " (!)", ""]]
    )
    words = [name(move) + rng.choice(marks) for move in game.moves]
    end = rng.choice(["", "", " *", " B+2.5", " W+R", " resign", " ...", " 1-0", " draw?"])
    return read_as(game, rng.choice([" ", "\n"]).join(words) + end, exact=True)


@trap
def moves_as_numbers_of_points(rng: Random) -> Told | None:
    """``[12, 6, 8]``: points by number, so that pairs of digits would be other moves."""
    game = drawn_game(rng, range(2, 12), passes=0)
    if all(move < SIZE for move in game.moves):
        return None
    form = rng.choice(["[{}]", "{}", '{{"moves": [{}]}}', '{{"actions": [{}]}}', "moves = [{}]", "({})"])
    return read_as(game, form.format(", ".join(map(str, game.moves))), exact=True)


@way
def moves_as_numbers_that_may_be_pairs(rng: Random) -> Told | None:
    """Four numbers up to 4 are two pairs or four points."""
    numbers = rng.sample(range(5), rng.choice([2, 4]))
    return Told(f'{{"moves": {numbers}}}')


@way
def moves_with_other_signs_in_pairs(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    form = rng.choice(
        ["{}:{}", "{}.{}", "{};{}", "{}/{}", "r{}c{}", "R{}C{}", "({};{})", "<{},{}>", "({} {})", "[{}][{}]", "{}_{}"]
    )
    words = [form.format(move // SIZE, move % SIZE) for move in game.moves]
    return read_as(game, rng.choice([" ", ", ", "\n"]).join(words), exact=True)


@way
def moves_as_named_numbers(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    form = rng.choice(
        ["row {} column {}", "row={}, col={}", "Move(row={}, col={})", "i={} j={}", "(row: {}, col: {})",
         "{{row: {}, col: {}}}",
         '{{"row": {}, "col": {}}}', "Point({}, {})", "np.array([{}, {}])", "place_chess({}, {})", "[{} {}]"]
    )  # fmt: skip
    words = [form.format(move // SIZE, move % SIZE) for move in game.moves]
    return read_as(game, rng.choice([", ", "\n", "; "]).join(words), exact=True)


@trap
def moves_in_letters_of_sgf(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    return read_as(game, rng.choice([" ", ";", ", "]).join(map(letters, game.moves)), exact=True)


@trap
def moves_reversed_or_strange(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    form = rng.choice(["{1}{0}", "{0}-{1}", "{0} {1}", "{0}_{1}", "{0}/{1}"])
    words = [form.format("ABCDE"[move % SIZE], SIZE - move // SIZE) for move in game.moves]
    return read_as(game, rng.choice(["  ", ", ", "\n"]).join(words), exact=True)


@way
def moves_of_full_width(rng: Random) -> Told:
    game, name = drawn_game(rng), rng.choice((host, vertex))
    wide = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
    between = rng.choice([" ", "\u3000", "、", "，"])
    text = between.join(
        name(move).translate(wide) if move != PASS else rng.choice(["パス", "PASS"]) for move in game.moves
    )
    return read_as(game, text)


@way
def passes_in_other_words(rng: Random) -> Told | None:
    game, name = drawn_game(rng, range(2, 10), passes=0.4), rng.choice((host, vertex))
    if PASS not in game.moves:
        return None
    word = rng.choice(
        [
            "pass",
            "Pass",
            "tt",
            "--",
            "パス",
            "passe",
            "Passen",
            "paso",
            "虚着",
            "停一手",
            "null",
            "-1,-1",
            "(-1, -1)",
            "PA",
            "P",
            "skip",
        ]
    )
    text = " ".join(word if move == PASS else name(move) for move in game.moves)
    return read_as(game, text, documented=word.lower() in ("pass", "tt"))


@way
def moves_that_are_illegal(rng: Random) -> Told | None:
    """An occupied point, a point off the board, suicide or a ko."""
    game, name = drawn_game(rng), rng.choice(PLAIN)
    bad = []
    for move in range(PASS):
        try:
            game.last.play(move)
        except IllegalMove:
            bad.append(name(move))
    bad += ["0,5", "5,0", "-1,2", "2,9"] if name is host else ["F3", "A6", "A0", "J1", "a7"]
    words = [*map(name, game.moves), rng.choice(bad)]
    return Told(rng.choice([" ", ", ", "\n"]).join(words))


@way
def moves_after_the_end(rng: Random) -> Told | None:
    game, name = drawn_game(rng, range(2, 20)), rng.choice(PLAIN)
    over = game.last.play(PASS)
    if not over.is_over:
        over = over.play(PASS)
        ends = ["PASS", "PASS"]
    else:
        ends = ["PASS"]
    more = rng.choice(game.last.legal_moves())
    return Told(" ".join([*map(name, game.moves), *ends, name(more)]))


@way
def moves_that_end_the_game(rng: Random) -> Told:
    game, name = drawn_game(rng, range(1, 20)), rng.choice(PLAIN)
    over, ends = game.last.play(PASS), ["PASS"]
    if not over.is_over:
        over, ends = over.play(PASS), ["PASS", "PASS"]
    return Told(" ".join([*map(name, game.moves), *ends]), (over,), is_documented=True)


@way
def moves_with_a_wrong_word(rng: Random) -> Told:
    """A word among the moves that is no move may stand for one."""
    game, name = drawn_game(rng), rng.choice(PLAIN)
    words = [*map(name, game.moves)]
    word = rng.choice(
        ["97", "?", "??", "F", "2;2x", "cc9", "C", "resign?", "(missing)", "[unreadable]", "C33", "2,2,2", "..."]
    )
    words.insert(rng.randrange(len(words)), word)
    return Told(" ".join(words))


@way
def moves_in_prose(rng: Random) -> Told:
    game = without_captures(rng, (2, 3, 4))
    words = [*map(rng.choice((vertex, host)), game.moves)]
    line, side = " ".join(words), ("Black", "White")[len(words) % 2]
    text = rng.choice(
        [
            f"Black played {words[0]}, White answered {', then '.join(words[1:])}",
            f"I opened at {', then came '.join(words)}",
            f"My game: {line}. What should I have played?",
            f"After {line} I am lost",
            f"After {', '.join(words)} it is {side}'s turn.",
            f"What is the best move after {line}?",
        ]
    )
    return read_as(game, text)


@way
def moves_and_a_wrong_claim(rng: Random) -> Told:
    """A line that contradicts the moves, or that names another game, decides the answer: refuse."""
    game = drawn_game(rng)
    line = rng.choice(["{}", "Moves: {}", "moves: {}"]).format(" ".join(map(rng.choice((host, vertex)), game.moves)))
    wrong = ("White", "Black")[len(game.moves) % 2]
    claim = rng.choice(
        [f"{wrong} to move", f"{wrong} to play.", f"It is {wrong}'s turn", f"Next: {wrong}", f"Turn: {wrong}",
         f"to_play: {wrong[0]}",
         f"Current player: {wrong}", f"Side to move: {wrong}", "Board size: 9x9", "size 19", "Handicap: 2 stones",
         "Komi: 7.5", "komi 0.5",
         f"Ply: {len(game.moves) + 2}", f"after {len(game.moves) + 1} plies", "Black started with two stones",
         f"({wrong} to move)",
         f"**{wrong} to move**", f"{wrong} moves next", "13x13 board", "White plays first", "a 7x7 game", "plies: 8"]
    )  # fmt: skip
    return Told("\n".join([line, claim] if rng.random() < 0.5 else [claim, line]))


@way
def moves_and_a_right_claim(rng: Random) -> Told:
    game = drawn_game(rng)
    line = rng.choice(["{}", "Moves: {}", "moves: {}"]).format(" ".join(map(rng.choice((host, vertex)), game.moves)))
    side = ("Black", "White")[len(game.moves) % 2]
    claim = rng.choice(
        [f"{side} to move", f"{side} to play.", f"It is {side}'s turn", f"Next: {side}", f"Turn: {side}",
         f"to_play: {side[0]}",
         "Board size: 5x5", "size 5", "Komi: 2.5", f"Ply: {len(game.moves)}", f"after {len(game.moves)} plies",
         f"({side} to move)",
         f"**{side} to move**", "Handicap: 0", "5x5 board", "Black plays first", "plies: 24", "Event: club night",
         "Date: 2024-05-01"]
    )  # fmt: skip
    return read_as(game, "\n".join([line, claim] if rng.random() < 0.5 else [claim, line]), exact=True)


@way
def moves_spaced_in_pairs(rng: Random) -> Told:
    game = drawn_game(rng, passes=0)
    return read_as(game, rng.choice(["; ", "\n", "   "]).join(map(spaced, game.moves)))


@way
def moves_of_two_games(rng: Random) -> Told | None:
    """Two lines, each of which is a game from the start: two positions."""
    first, second = drawn_game(rng, range(2, 7)), drawn_game(rng, range(2, 7))
    name = rng.choice((host, vertex))
    lines = [" ".join(map(name, game.moves)) for game in (first, second)]
    form = rng.choice(
        [
            "Game 1: {}\nGame 2: {}",
            "A: {}\nB: {}",
            "1. game: {}\n2. game: {}",
            "Game A: {}\n\nGame B: {}",
            "Mine: {}\nYours: {}",
        ]
    )
    return None if first.last == second.last else Told(form.format(*lines))


@way
def moves_numbered_in_two_games(rng: Random) -> Told | None:
    """The numbers start again, so there are two games."""
    first, second = drawn_game(rng, range(2, 7)), drawn_game(rng, range(2, 7))
    texts = [" ".join(f"{ply}. {vertex(move)}" for ply, move in enumerate(game.moves, 1)) for game in (first, second)]
    return None if first.last == second.last else Told("\n".join(texts))
