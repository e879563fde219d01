"""Ways to draw a board, with the lines that people and programs write around it."""

# ruff: noqa: RUF001

import json
from random import Random

from little_go.solver.position import GAME_PLIES, PASS, SIZE, Position
from tests.notation.ways.games import Told, captured_in, drawn_game, fitting, grid, host, is_possible, vertex
from tests.notation.ways.moves import blank_board
from tests.notation.ways.registry import trap, way

SIGNS = (".XO", ".XO", ".xo", ".#O", "·●○", "_XO", "-XO", ".BW", ".bw", "012")
DOCUMENTED = (".XO", ".xo", ".#O", "_XO", "012")
RARE = ("+XO", "+●○", "┼●○", "➕⚫⚪", "．●○", "🟫⚫⚪", ".@O", "０１２", " XO", ".*o", ".10", "*XO", "□●○", "十●○")


def board_of(rng: Random) -> Position:
    return drawn_game(rng, [*range(2, 12), 14, 17]).board


def uniform(rng: Random, board: Position, signs: str) -> list[str]:
    """Return five rows, with or without coordinates."""
    between = rng.choice([" ", " ", ""])
    rows = [between.join(row) for row in grid(board, signs)]
    style = 0 if signs == "012" else rng.randrange(4)
    if style == 1:
        return ["  0 1 2 3 4", *(f"{number} {' '.join(row)}" for number, row in enumerate(grid(board, signs)))]
    if style == 2:
        edge = "   A B C D E"
        return [
            edge,
            *(f" {5 - number} {' '.join(row)} {5 - number}" for number, row in enumerate(grid(board, signs))),
            edge,
        ]
    return rows


@way
def board_plain(rng: Random) -> Told | None:
    board = board_of(rng)
    meant, signs = fitting(board), rng.choice(SIGNS)
    text = rng.choice(["\n", "\n", "\r\n"]).join(uniform(rng, board, signs))
    return Told(text, meant, is_documented=signs in DOCUMENTED) if meant else None


@way
def board_of_rare_signs(rng: Random) -> Told | None:
    board = board_of(rng)
    meant, signs = fitting(board), rng.choice(RARE)
    between = "" if signs[0] in " ➕🟫" else rng.choice([" ", ""])
    # The rows of blanks need a frame.
    lines = [between.join(row) for row in grid(board, signs)]
    lines = blank_board(board) if signs[0] == " " else lines
    return Told("\n".join(lines), meant, is_exact=True) if meant else None


@way
def board_in_a_frame(rng: Random) -> Told | None:
    board = board_of(rng)
    meant, rows = fitting(board), [" ".join(row) for row in grid(board, rng.choice([".XO", ".xo", "·●○", ".#O"]))]
    top, left, right = rng.choice(
        [("+-----------+", "| ", " |"), ("-----------", "|", "|"), ("┌───────────┐", "│ ", " │"), ("", "[", "]"),
         ("", "| ", " |"),
         ("+---+---+---+---+---+", "| ", " |"), ("=============", "= ", " ="), ("", "<bob> ", ""), ("", "12:0", ""),
         ("", '"', '",'), ("", "    ", ""),
         ("***********", "* ", " *"), ("", "// ", ""), ("", "# ", ""), ("", "row: ", ""), ("", "- ", ""),
         ("", "; ", "")]
    )  # fmt: skip
    if left == "12:0":
        rows = [f"[12:0{number}] ann: {row}" for number, row in enumerate(rows)]
        left = ""
    lines = [f"{left}{row}{right}" for row in rows]
    return Told("\n".join([top, *lines, top] if top else lines), meant) if meant else None


@way
def board_quoted(rng: Random) -> Told | None:
    """In a mail or a post, with the mover."""
    board, mover = board_of(rng), rng.choice([1, 2])
    meant, side = fitting(board, mover), ("Black", "White")[mover - 1]
    mark = rng.choice(["> ", ">> ", "> > ", "| ", ": ", "    ", "\t", ">", "% "])
    head = rng.choice(
        [[], ["On Monday, Bob wrote:"], ["Bob wrote:", ""], ["-----Original Message-----", "From: Bob", "Sent: Monday"]]
    )
    tail = rng.choice([[], ["What now?"], ["", "--", "Ann"], ["Thanks, Ann"]])
    rows = [" ".join(row) for row in grid(board, rng.choice([".XO", "·●○", ".#O", ".xo"]))]
    inside = [f"{side} to move", *rows] if rng.random() < 0.5 else [*rows, f"{side} to move"]
    lines = [*head, *(f"{mark}{line}" for line in inside), *tail]
    return Told("\n".join(lines), meant, is_documented=mark == "> " and not head and not tail) if meant else None


@way
def board_in_code(rng: Random) -> Told | None:
    board = board_of(rng)
    meant, numbers = fitting(board), [[int(digit) for digit in row] for row in board.rows()]
    letters = grid(board, rng.choice([".XO", "_XO", " XO", "-XO", ".BW"]))
    rows = ["".join(row) for row in grid(board, ".XO")]
    text = rng.choice(
        [
            str(numbers),
            str(letters),
            ",\n ".join(map(str, numbers)),
            "[" + "\n ".join(str(row).replace(",", "") for row in numbers) + "]",
            "array([" + ",\n       ".join(map(str, numbers)) + "])",
            "board = " + str(numbers),
            "self.board = np.array(" + str(numbers) + ", dtype=int)",
            "tensor(["
            + ",\n        ".join(str([float(number) for number in row]).replace(".0", ".") for row in numbers)
            + "])",
            "{" + ", ".join("{" + ", ".join(map(str, row)) + "}" for row in numbers) + "}",
            "int[][] board = {" + ",\n".join("{" + ",".join(map(str, row)) + "}" for row in numbers) + "};",
            json.dumps(rows),
            "\n".join(f'"{row}"' for row in rows),
            ",\n".join(f"'{row}'" for row in rows),
            "\n".join(",".join(map(str, row)) for row in numbers),
            "\n".join("\t".join(map(str, row)) for row in numbers),
            "\n".join("[" + " ".join(map(str, row)) + "]" for row in numbers),
            "(" + ",\n".join(str(tuple(row)) for row in numbers) + ")",
            "board = [\n" + "".join(f'  "{row}",\n' for row in rows) + "]",
        ]
    )
    return Told(text, meant, is_exact=True) if meant else None


@way
def board_in_code_with_minus(rng: Random) -> Told | None:
    """Sabaki and many programs write 1 for Black and -1 for White."""
    board = board_of(rng)
    meant = fitting(board)
    rows = [[{"0": 0, "1": 1, "2": -1}[digit] for digit in row] for row in board.rows()]
    text = rng.choice(
        [
            str(rows),
            json.dumps({"signMap": rows}),
            "[" + "\n ".join("[" + " ".join(f"{number:2d}" for number in row) + "]" for row in rows) + "]",
            "\n".join(" ".join(f"{number:2d}" for number in row) for row in rows),
            "\n".join(",".join(map(str, row)) for row in rows),
            "array(["
            + ",\n       ".join("[" + ", ".join(f"{number:2d}" for number in row) + "]" for row in rows)
            + "])",
        ]
    )
    return Told(text, meant, is_exact=True) if meant and board.white else None


@way
def board_in_one_line(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2, None])
    rows = ["".join(row) for row in grid(board, rng.choice([".XO", ".xo", ".BW", "012", "_XO"]))]
    between, end = rng.choice(["/", "/", "|", ",", " ", "", "\\n"]), ""
    if mover is not None:
        end = rng.choice([" {0}", " {0} 0 1", " {1} to move", " {0} - 0", ", {1} to play"]).format(
            "bw"[mover - 1], ("Black", "White")[mover - 1]
        )
    meant = fitting(board, mover)
    text = between.join(rows) + end
    return Told(text, meant, is_documented=between == "/" and not end, is_exact=True) if meant else None


@way
def board_as_fen(rng: Random) -> Told | None:
    """Runs of empty points as numbers, as in chess."""
    board, mover = board_of(rng), rng.choice([1, 2])
    rows = []
    for row in grid(board, rng.choice([".Xo", ".xO", ".bw", ".BW", ".XO"])):
        text = "".join(row)
        for length in range(5, 0, -1):
            text = text.replace("." * length, str(length))
        rows.append(text)
    meant = fitting(board, mover)
    return (
        Told(f"{'/'.join(rows)} {'bw'[mover - 1]}{rng.choice(['', ' - 0 1', ' 0'])}", meant, is_exact=True)
        if meant
        else None
    )


@way
def board_as_a_table(rng: Random) -> Told | None:
    board = board_of(rng)
    meant, rows = fitting(board), grid(board, rng.choice([" XO", ".XO", " ●○", " BW"]))
    style = rng.randrange(5)
    if style == 0:
        text = "\n".join(["| | | | | |", "|-|-|-|-|-|", *("| " + " | ".join(row) + " |" for row in rows)])
    elif style == 1:
        text = "\n".join(
            ["| |A|B|C|D|E|", "|-|-|-|-|-|-|", *(f"|{5 - at}|{'|'.join(row)}|" for at, row in enumerate(rows))]
        )
    elif style == 2:
        text = (
            "<table>"
            + "".join("<tr>" + "".join(f"<td>{sign}</td>" for sign in row) + "</tr>" for row in rows)
            + "</table>"
        )
    elif style == 3:
        text = "\n".join(",".join(row).replace(" ", "") for row in rows)
    else:
        text = "\n".join("\t".join(row) for row in rows)
    return Told(text, meant, is_exact=True) if meant and any("".join(row).strip() for row in rows) else None


@way
def board_of_another_size(rng: Random) -> Told:
    rows, columns = rng.choice(
        [(6, 5), (4, 5), (5, 6), (5, 4), (9, 9), (7, 7), (3, 3), (5, 7), (10, 5), (13, 13), (19, 19)]
    )
    signs = rng.choice([".XO", ".XO", "012", "·●○", ".#O", "+XO", " XO"])
    sides = [rng.choice([0, 0, 1, 2]) for _ in range(rows * columns)]
    between = rng.choice([" ", ""])
    lines = [between.join(signs[side] for side in sides[at * columns : (at + 1) * columns]) for at in range(rows)]
    if signs == " XO":
        lines = ["-" * (2 * columns), *lines, "-" * (2 * columns)]
        return (
            Told("\n".join(lines)) if (rows, columns) in ((9, 9), (6, 5), (7, 7)) else Told("\n".join([*lines, "9x9"]))
        )
    if rng.random() < 0.3:
        lines = [f"{rows - at:2d} {line}" for at, line in enumerate(lines)]
    # Ten rows of digits are two boards.
    return Told("\n".join(lines))


@way
def board_with_a_bad_row(rng: Random) -> Told | None:
    """A row is missing or doubled, or has a sign too many or too few, or an unknown sign at a stone."""
    board = board_of(rng)
    signs = rng.choice([".XO", "012", "·●○", ".#O", ".BW"])
    rows = [[*row] for row in grid(board, signs)]
    at = rng.randrange(SIZE)
    change = rng.randrange(6)
    if change == 0:
        del rows[at]
    elif change == 1:
        rows.insert(at, list(rows[at]))
    elif change == 2:
        rows[at].append(rng.choice(signs))
    elif change == 3:
        rows[at].pop()
    else:
        column = next((column for column, sign in enumerate(rows[at]) if sign in signs[1:]), None)
        if column is None:
            return None
        rows[at][column] = rng.choice("?*Qz7%")
    mover = rng.choice([[], ["White to move"], ["Black to move"]])
    return Told("\n".join([*mover, *(rng.choice([" "]).join(row) for row in rows)]))


@way
def board_with_two_signs_for_a_side(rng: Random) -> Told | None:
    board = board_of(rng)
    rows = grid(board, ".XO")
    stones = [(row, column) for row in range(SIZE) for column in range(SIZE) if rows[row][column] == "X"]
    if len(stones) < 2:
        return None
    row, column = rng.choice(stones)
    rows[row][column] = rng.choice("#@●*1B")
    return Told("\n".join(" ".join(row) for row in rows))


@way
def two_boards(rng: Random) -> Told | None:
    game = drawn_game(rng, range(3, 12), passes=0)
    first, second = game.way[-2], game.last
    one = [" ".join(row) for row in grid(first, rng.choice([".XO", ".XO", "·●○", "012", ".#O"]))]
    two = [
        " ".join(row)
        for row in grid(second, rng.choice([".XO", ".XO", "·●○", "012", "_XO", ".xo", "+XO", ".BW", "➕⚫⚪", "┼●○"]))
    ]
    style = rng.randrange(5)
    if style == 0:
        text = "\n".join(f"{left}    {right}" for left, right in zip(one, two, strict=True))
    elif style == 1:
        text = "\n".join(["Before:", *one, "After:", *two])
    elif style == 2:
        text = "\n".join([*one, "", *two])
    elif style == 3:
        text = f"{'/'.join(row.replace(' ', '') for row in one)} {'/'.join(row.replace(' ', '') for row in two)}"
    else:
        text = "\n".join([*one, "", str([[int(digit) for digit in row] for row in second.rows()])])
    return Told(text)


@way
def board_and_moves(rng: Random) -> Told | None:
    """The moves lead to another position than the board shows."""
    game = drawn_game(rng, range(3, 12), passes=0)
    more = game.last.play(rng.choice(game.last.legal_moves()[:-1] or [PASS]))
    board = rng.choice([game.way[-2], game.way[1], more])
    rows = [" ".join(row) for row in grid(board, rng.choice([".XO", "·●○", "012", ".#O"]))]
    name = rng.choice((vertex, host))
    words = [*map(name, game.moves)]
    moves = rng.choice(
        [
            " ".join(words),
            "moves: " + " ".join(words),
            "Moves: " + ", ".join(words),
            "\n".join(f"{at}. {word}" for at, word in enumerate(words, 1)),
            "\n".join(f"play {'bw'[ply % 2]} {vertex(move)}" for ply, move in enumerate(game.moves)),
            "(;SZ[5]"
            + "".join(
                f";{'BW'[ply % 2]}[{'abcde'[move % 5]}{'abcde'[move // 5]}]" for ply, move in enumerate(game.moves)
            )
            + ")",
            f"explorer.html#moves={'.'.join(map(host, game.moves))}",
            json.dumps({"moves": " ".join(map(host, game.moves))}),
        ]
    )
    parts = ["\n".join(rows), moves]
    if rng.random() < 0.4:
        parts.reverse()
    return Told(rng.choice(["\n", "\n\n"]).join(parts))


# Captions. A board's stones, and what a line says of the mover, the ply, the last move, captures or the game.

MOVERS_ENGLISH = (
    "{} to move", "{} to play", "{} to move.", "{} to play!", "It is {}'s turn", "It's {}'s turn",
    "It is {}'s turn to move.", "It's {}'s move",
    "Next: {}", "Turn: {}", "To move: {}", "To play: {}", "Next player: {}", "Next to move: {}", "Player to move: {}",
    "{}'s turn", "{}'s move",
)  # fmt: skip
#: Forms that no document promises.
MOVERS_MORE = (
    "({} to move)", "**{} to move**", "{} to play and win", "It's {}'s move now", "It is now {}'s turn",
    "Current player: {}", "current_player = {}",
    "to_play: {}", "{} plays next", "{} moves next", "{} is next", "{} is to move", "{} to move:", "-- {} to move --",
    "[{} to play]", "Side to move: {}",
    "side_to_move = {}", "Turn = {}", "player: {}", "Player: {}", "Whose turn: {}", "Mover: {}", "Colour: {}",
    "{} to move, please help!",
    "{} to move. What is best?", "Problem 3: {} to play", "Diagram 1 ({} to play)", "turn={}", "It's {} to play",
    "Now {} moves", "{} has the move",
    "I am {} and it is my turn", "You are {}. Your move!", "I play {}, it's my move", "my colour is {}, my turn",
    "{} (to move)", "_{} to move_",
    "# {} to move", "### {} to play", "{} to move?", "{}, to move", "{} to play for a win", "Find the best move for {}",
    "Best move for {}?", "next_player: {}", "nextPlayer: {}", "active: {}", "On move: {}", "Move: {}", "{} on move",
    "{} moves", "{} must move",
    "toMove: {}", "It is the turn of {}", "The next move is {}'s", "{} at move",
)  # fmt: skip
MOVERS_OF_LANGUAGES = (
    ("Schwarz am Zug", "Weiß am Zug"), ("Schwarz zieht", "Weiß zieht"), ("Am Zug: Schwarz", "Am Zug: Weiß"),
    ("Schwarz ist dran", "Weiss ist dran"),
    ("Aux noirs de jouer", "Aux blancs de jouer"), ("Trait aux noirs", "Trait aux blancs"),
    ("Noir joue", "Blanc joue"), ("À Noir de jouer", "À Blanc de jouer"),
    ("Juegan negras", "Juegan blancas"), ("Negro juega", "Blanco juega"),
    ("Turno de las negras", "Turno de las blancas"), ("Mueven negras", "Mueven blancas"),
    ("黑先", "白先"), ("黑棋先走", "白棋先走"), ("轮到黑方", "轮到白方"), ("黑下", "白下"), ("黑方行棋", "白方行棋"),
    ("该黑走", "该白走"),
    ("黒番", "白番"), ("黒の番", "白の番"), ("黒の手番", "白の手番"), ("手番：黒", "手番：白"), ("黒先", "白先"),
    ("黒の手番です。", "白の手番です。"),
    ("흑 차례", "백 차례"), ("Ход чёрных", "Ход белых"), ("Tocca al Nero", "Tocca al Bianco"),
    ("Zwart aan zet", "Wit aan zet"), ("Pretas jogam", "Brancas jogam"),
    ("Svart vid draget", "Vit vid draget"), ("Czarne na ruchu", "Białe na ruchu"),
)  # fmt: skip
NAMES = (
    ("Black", "White"),
    ("black", "white"),
    ("BLACK", "WHITE"),
    ("X", "O"),
    ("B", "W"),
    ("Black (X)", "White (O)"),
    ("X (Black)", "O (White)"),
)


def around(rng: Random, board: Position, lines: list[str], *, signs: str | None = None) -> str:
    """Return a board with lines above or below it."""
    rows = uniform(rng, board, signs or rng.choice([".XO", ".XO", ".xo", ".#O", "·●○"]))
    blank = [""] if rng.random() < 0.3 else []
    return "\n".join([*lines, *blank, *rows] if rng.random() < 0.6 else [*rows, *blank, *lines])


@way
def caption_of_the_mover(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    names = rng.choice(NAMES[:2])
    line = rng.choice(MOVERS_ENGLISH[:2] + MOVERS_ENGLISH[4:6]).format(names[mover - 1])
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant, is_documented=True) if meant else None


@way
def caption_of_the_mover_in_all_words(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    line = rng.choice(MOVERS_ENGLISH).format(rng.choice(NAMES)[mover - 1])
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant) if meant else None


@way
def caption_of_the_mover_in_rare_words(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    line = rng.choice(MOVERS_MORE).format(rng.choice(NAMES)[mover - 1])
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant) if meant else None


@way
def caption_of_the_mover_in_languages(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    line = rng.choice(MOVERS_OF_LANGUAGES)[mover - 1]
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant) if meant else None


@way
def caption_by_number(rng: Random) -> Told | None:
    """The mover is 1 or 2, as in the course's code."""
    board, mover = board_of(rng), rng.choice([1, 2])
    line = rng.choice(
        ["piece_type = {}", "piece_type: {}", "Player {} to move", "player {}'s turn", "Turn: {}", "turn={}",
         "to_play = {}", "color = {}", "Player {}'s turn",
         "side = {}", "colour {} to move", "current player {}", "player={}", "next player: {}", "{} to move",
         "My piece type is {}"]
    ).format(mover)  # fmt: skip
    meant = fitting(board, mover)
    return Told(around(rng, board, [line]), meant, is_exact=True) if meant else None


@way
def caption_of_the_ply(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    least = fitting(board, mover)
    if not least:
        return None
    ply = least[0].ply + 2 * rng.choice([0, 0, 1, 2])
    position = least[0]._replace(ply=ply)
    if ply >= GAME_PLIES or not is_possible(position):
        return None
    side = ("Black", "White")[mover - 1]
    line = rng.choice(
        ["ply {p}", "Ply: {p}", "After {p} plies:", "After {p} moves", "{s} to move (ply {p})", "{s} to move, ply {p}",
         "ply={p}", "ply = {p}, {s} to play",
         "{p} plies played", "{p} moves played, {s} to move", "Moves played: {p}", "n_move = {p}",
         "ply {p} of 24, {s} to move", "Position after {p} plies",
         "(ply {p})", "Nach {p} Zügen", "Après {p} coups", "Después de {p} jugadas", "{p}手完了", "第{p}手之后",
         "{p} of 24 plies played", "Plies: {p}",
         "{p} plies have been played.", "{p} stones were played", "plies_played: {p}", "Zug {p} gespielt"]
    ).format(p=ply, s=side)  # fmt: skip
    return Told(around(rng, board, [line]), (position,), is_documented="of 24, " in line)


@way
def caption_of_the_next_ply(rng: Random) -> Told | None:
    """``Move 8`` is the move to be played if the named side moves then."""
    board, mover = board_of(rng), rng.choice([1, 2])
    least = fitting(board, mover)
    if not least:
        return None
    side = ("Black", "White")[mover - 1]
    line = rng.choice(
        ["Move {p}, {s}", "Move {p}: {s}", "Move {p} ({s} to play)", "{s} to play move {p}", "{s} plays move {p}"]
    )
    return Told(around(rng, board, [line.format(p=least[0].ply + 1, s=side)]), least)


@way
def caption_of_our_own(rng: Random) -> Told | None:
    """The line above our boards contains everything."""
    game = drawn_game(rng, passes=0.15)
    last = game.last
    mover = ("Black (X)", "White (O)")[last.ply % 2]
    head = f"{last.ply} of 24 plies played, {mover} to move{', after a PASS' if last.passed else ''}."
    return Told(f"{head}\n{last.diagram()}\n", (last,), is_documented=True)


@trap
def our_diagram_alone(rng: Random) -> Told | None:
    """Our board without its line: a ``+`` may be the ko point or not."""
    game = drawn_game(rng, range(4, 16))
    last = game.last
    meant = fitting(game.board)
    if last.ko is not None:
        meant += fitting(last._replace(passed=False))
    return Told(last.diagram(), meant) if meant else None


@trap
def board_with_one_plus(rng: Random) -> Told | None:
    """In a stranger's board a single ``+`` is a star point or a mark, and no ko."""
    board = board_of(rng)
    rows = grid(board, ".XO")
    free = [(row, column) for row in range(SIZE) for column in range(SIZE) if rows[row][column] == "."]
    row, column = (2, 2) if rows[2][2] == "." else rng.choice(free)
    rows[row][column] = "+"
    edge = "   A B C D E"
    lines = [edge, *(f" {5 - at} {' '.join(signs)} {5 - at}" for at, signs in enumerate(rows)), edge]
    mover = rng.choice([1, 2, None])
    if mover is not None:
        lines.append(f"{('Black', 'White')[mover - 1]} to move")
    meant = fitting(board, mover)
    return Told("\n".join(lines), meant) if meant else None


@way
def board_with_a_ko_line(rng: Random) -> Told | None:
    """A line that names the ko point."""
    game = next(
        game
        for game in iter(lambda: drawn_game(rng, range(7, 20), passes=0), None)
        if game.last.ko is not None or rng.random() < 0.02
    )
    last = game.last
    if last.ko is None:
        return None
    mover = last.mover
    name = rng.choice((vertex, host))
    line = rng.choice(
        ["Ko: {}", "ko at {}", "ko = {}", "Ko point: {}", "{} is forbidden by ko", "Simple ko: {}", "Kō: {}", "劫：{}"]
    ).format(name(last.ko))
    meant = fitting(last._replace(passed=False), mover)
    return Told(around(rng, game.board, [line, f"{('Black', 'White')[mover - 1]} to move"]), meant) if meant else None


@way
def caption_of_the_last_move(rng: Random) -> Told | None:
    game = drawn_game(rng, range(2, 14), passes=0)
    mover, move = game.last.mover, game.moves[-1]
    side = 2 - mover
    name = rng.choice((vertex, host))
    line = rng.choice(
        ["Last move: {c} {v}", "Last move: {b} {v}", "last move {c} {v}", "Last move was {c} {v}",
         "{c} just played {v}", "{c} played {v}.", "{c} has just moved",
         "Last: {b} {v}", "last_move = {b}[{v}]", "Letzter Zug: {g} {v}", "Dernier coup : {f} {v}",
         "Última jugada: {e} {v}", "最後の手：{j}{v}", "最后一手：{j}{v}",
         "{c}'s last move: {v}", "{c} {v} was the last move", "Previous move: {c} {v}", "After {c} {v}",
         "Last player: {c}"]
    ).format(
        c=("Black", "White")[side], b="BW"[side], v=name(move), g=("Schwarz", "Weiß")[side], f=("Noir", "Blanc")[side],
        e=("Negro", "Blanco")[side],
        j="黒白"[side],
    )  # fmt: skip
    meant = fitting(game.board, mover)
    return (
        Told(
            around(rng, game.board, [line]),
            meant,
            is_documented=line.startswith("Last move: B") and len(line) == 19 and name is vertex,
        )
        if meant
        else None
    )


@way
def caption_of_a_pass(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    last, side = ("White", "Black")[mover - 1], ("Black", "White")[mover - 1]
    line = rng.choice(
        ["{l} passed, {s} to move", "{l} passed. {s} to play.", "{l} just passed", "Last move: {l} PASS",
         "{l} has passed", "{s} to move after a pass",
         "{l} passes, {s} to move", "{l}: PASS", "Last move: {l} pass", "{l} passed", "{s} to move, {l} passed"]
    ).format(l=last, s=side)  # fmt: skip
    meant = fitting(board._replace(passed=True), mover)
    return Told(around(rng, board, [line]), meant) if meant else None


@way
def caption_of_captures(rng: Random) -> Told | None:
    """Captured stones count for the smallest ply."""
    game = drawn_game(rng, range(8, 20), passes=0)
    black, white = captured_in(game)
    board, mover = game.board, game.last.mover
    # A side's number is that of the stones that it has captured, or of those that it has lost: both are read.
    meant = tuple({*fitting(board, mover, (black, white)), *fitting(board, mover, (white, black))})
    side = ("Black", "White")[mover - 1]
    lines = rng.choice(
        [
            [f"Black captured {white}, White captured {black}"],
            [f"Captures: Black {white}, White {black}"],
            [f"Prisoners: B {white}  W {black}"],
            [f"Black has captured {white} stones", f"White has captured {black} stones"],
            [f"Captured by Black: {white}", f"Captured by White: {black}"],
            [f"captures B: {white} W: {black}"],
            [f"Gefangene: Schwarz {white}, Weiß {black}"],
            [f"Prisonniers : Noir {white}, Blanc {black}"],
            [f"Capturas: Negro {white}, Blanco {black}"],
            [f"アゲハマ 黒{white} 白{black}"],
            [f"提子：黑{white} 白{black}"],
            [f"X captured {white} stones so far.", f"O captured {black} stones so far."],
        ]
    )
    return Told(around(rng, board, [f"{side} to move", *lines]), meant) if meant and black + white else None


@way
def caption_of_a_rule(rng: Random) -> Told | None:
    """Another size, komi, length or a handicap decides the answer."""
    board = board_of(rng)
    line = rng.choice(
        ["Komi: 7.5", "komi 6.5", "Komi = 0.5", "Board size: 9", "9x9", "Size: 19x19", "board_size = 7", "Handicap: 2",
         "2 stones handicap", "Komi: 0", "KM[6.5]",
         "SZ[9]", "Komi 3,5", "Spielfeld 9x9", "Komi: 5.5 (Chinese rules)", "taille 9x9", "贴目 7.5", "コミ 6目半",
         "9路盤", "Tamaño: 9", "Vorgabe: 2",
         "game of 8 plies", "plies: 8", "max plies = 30", "The game has 30 moves", "no komi", "size 13", "13x13 board",
         "handicap game, 3 stones", "komi=7"]
    )  # fmt: skip
    return Told(around(rng, board, [line])) if fitting(board) else None


@way
def caption_without_weight(rng: Random) -> Told | None:
    """Lines that decide nothing: titles, names, dates, the course's own numbers."""
    board, mover = board_of(rng), rng.choice([1, 2])
    line = rng.choice(
        ["Komi: 2.5", "komi 2.5", "5x5", "Board size: 5", "Size: 5x5", "Handicap: 0", "Date: 2024-05-01", "Problem 17",
         "Ann vs. Bob", "What would you do here?",
         "Diagram 4", "From the tournament in Leipzig", "Please help!", "```", "https://example.com/go", "Round 3",
         "See below:", "Hello everybody,", "Event: finals",
         "My position", "Wie geht es weiter?", "Bonjour,", "こんにちは", "PB[Ann]PW[Bob]", "Time left: 3:20", "[code]",
         "<pre>", "Result: ?", "Rules: course"]
    )  # fmt: skip
    meant = fitting(board, mover)
    return Told(around(rng, board, [line, f"{('Black', 'White')[mover - 1]} to move"]), meant) if meant else None


@way
def caption_that_contradicts(rng: Random) -> Told | None:
    board = board_of(rng)
    sides = rng.choice([("Black", "White"), ("White", "Black")])
    lines = rng.choice(
        [
            [f"{sides[0]} to move", f"{sides[1]} to move"],
            [f"{sides[0]} to move", f"Next: {sides[1]}"],
            [f"Last move: {sides[0]}", f"{sides[0]} to move, turn: {sides[1]}"],
            [f"Turn: {sides[0]}", f"Current player: {sides[1]}"],
            [f"ply {2 * rng.randint(6, 9)}", "White to move"],
            [f"After {2 * rng.randint(6, 9) + 1} plies", "Black to move"],
            [f"{sides[0]} or {sides[1]} to move"],
            [f"{sides[0]} passed", f"{sides[0]} to move"],
            ["ply 30"],
            [f"ply {board.black.bit_count() - 1}"],
        ]
    )
    return Told(around(rng, board, lines)) if fitting(board) and board.white else None


@trap
def caption_after_the_end(rng: Random) -> Told | None:
    """A game that is over has no side to move."""
    board = board_of(rng)
    over = board._replace(ply=GAME_PLIES)
    # Whether the last ply was a PASS is unknown.
    passed = over._replace(passed=True)
    return Told(around(rng, board, ["The game is over."]), (over, passed), is_exact=True)


@way
def captions_of_a_program(rng: Random) -> Told | None:
    """A print of several values."""
    game = drawn_game(rng, range(2, 14), passes=0)
    board, ply = game.board, len(game.moves)
    mover = game.last.mover
    rows = [" ".join(row) for row in grid(board, rng.choice([".XO", ".xo", "·●○"]))]
    side = rng.choice(NAMES)[mover - 1]
    text = rng.choice(
        [
            ["Board:", *rows, f"Next: {side}", f"Ply: {ply}"],
            [f"Step {ply}", *rows, f"current player: {side}"],
            [f"=== Turn {ply + 1} ({side}) ===", *rows],
            [f"Game(ply={ply}, to_move={side})", *rows],
            [f"n_move={ply} piece_type={mover}", *rows],
            [*rows, f"ply: {ply} | turn: {side} | komi: 2.5"],
            [f"Round {ply}", *rows, f"{side}'s turn to move"],
            ["Current board:", *rows, f"Player {mover} ({side}) to move", f"Moves played: {ply}"],
        ]
    )
    meant = (
        (game.last._replace(ko=None), *fitting(board, mover))
        if text[0].startswith(("Step", "Round"))
        else (game.last._replace(ko=None),)
    )
    return Told("\n".join(text), meant, is_exact=True)


# Programs' boards.


@way
def board_of_gnu_go(rng: Random) -> Told | None:
    game = drawn_game(rng, range(2, 18), passes=0)
    rows, (black, white) = grid(game.board, ".XO"), captured_in(game)
    if rows[2][2] == ".":
        rows[2][2] = "+"
    edge = "   A B C D E"
    lines = [f" {5 - at} {' '.join(row)} {5 - at}" for at, row in enumerate(rows)]
    word = rng.choice(["stones", "pieces"])
    style, side = rng.randrange(3), 2 - game.last.mover
    if style == 0:
        lines[3] += f"     WHITE (O) has captured {black} stones"
        lines[4] += f"     BLACK (X) has captured {white} stones"
        text, mover = [edge, *lines, edge], None
    elif style == 1:
        text = [
            f"    White (O) has captured {black} {word}",
            f"    Black (X) has captured {white} {word}",
            "",
            " " + edge,
        ]
        text[-1] += f"        Last move: {('Black', 'White')[side]} {vertex(game.moves[-1])}"
        text, mover = [*text, *(f" {line}" for line in lines), f" {edge}"], game.last.mover
    else:
        lines[3] += f"     WHITE (O) has captured {black} stones"
        lines[4] += f"     BLACK (X) has captured {white} stones"
        text, mover = ["= ", edge, *lines, edge, ""], None
    meant = fitting(game.board, mover, (black, white))
    return Told("\n".join(text), meant, is_documented=style == 0) if meant else None


@way
def board_of_pachi(rng: Random) -> Told | None:
    game = drawn_game(rng, range(1, 18), passes=0)
    black, white = captured_in(game)
    komi = rng.choice(["2.5", "2.5", "7.5"])
    rows = grid(game.board, ".XO")
    row, column = divmod(game.moves[-1], SIZE)
    lines = []
    for at, signs in enumerate(rows):
        line = "".join(sign + (")" if (at, place) == (row, column) else " ") for place, sign in enumerate(signs))
        lines.append(f"  {5 - at} | {line}|")
    head = f"Move: {len(game.moves):3d}  Komi: {komi}  Handicap: 0  Captures B: {white} W: {black}"
    text = "\n".join([head, "      A B C D E", "    +-----------+", *lines, "    +-----------+"])
    return Told(text, (game.last._replace(ko=None),) if komi == "2.5" else ())


@way
def board_of_leela(rng: Random) -> Told | None:
    game = drawn_game(rng, range(1, 18), passes=0.1)
    black, white = captured_in(game)
    mover, passed = game.last.mover, game.last.passed
    rows = grid(game.board, ".XO")
    rows[2][2] = "+" if rows[2][2] == "." else rows[2][2]
    lines = []
    for at, signs in enumerate(rows):
        line = " ".join(signs)
        if game.moves[-1] // SIZE == at and not passed:
            column = 2 * (game.moves[-1] % SIZE)
            line = f" {line} "
            line = line[:column] + "(" + line[column + 1] + ")" + line[column + 3 :]
            lines.append(f" {5 - at}{line} {5 - at}")
        else:
            lines.append(f" {5 - at} {line}  {5 - at}")
    heads = [("Black (X) to move", ""), ("", "White (O) to move")][mover - 1]
    text = [
        f"Passes: {int(passed)}            Black (X) Prisoners: {white}",
        f"{heads[0] or heads[1]}    White (O) Prisoners: {black}",
        "",
        "   a b c d e ",
        *lines,
        "   a b c d e ",
        "",
        "Hash: 9A930BE1616C538E Ko-Hash: A14C933E7669946D",
        "",
        "Black time: 01:00:00",
        "White time: 01:00:00",
    ]
    meant = fitting(game.board._replace(passed=passed), mover, (black, white))
    return (
        Told("\n".join(text[: rng.choice([6, 11]) if rng.random() < 0.3 else len(text)]), meant, is_exact=True)
        if meant
        else None
    )


@way
def board_of_katago(rng: Random) -> Told | None:
    game = drawn_game(rng, range(1, 18), passes=0.1)
    last, (black, white) = game.last, captured_in(game)
    rows = grid(game.board, ".XO")
    marks = {move: str(3 - at) for at, move in enumerate(reversed(game.moves[-3:])) if move != PASS}
    lines = []
    for at, signs in enumerate(rows):
        line = "".join(
            sign + (marks.get(SIZE * at + place, " ") if sign != "." else " ") for place, sign in enumerate(signs)
        )
        lines.append(f" {5 - at} {line.rstrip()}")
    text = [
        f"{rng.choice(['', '= '])}MoveNum: {last.ply} HASH: CE3B3B1F2B6E8B5C1A4E8CB0A6E6B0F1",
        "   A B C D E",
        *lines,
        f"Next player: {('Black', 'White')[last.ply % 2]}",
    ]
    if rng.random() < 0.6:
        text.append('Rules: {"ko":"POSITIONAL","komi":2.5,"scoring":"AREA","suicide":true,"tax":"NONE"}')
    text += [f"B stones captured: {black}", f"W stones captured: {white}"]
    # The board does not contain the ko point, nor a PASS.
    meant = (last._replace(ko=None),) if not last.passed else (last._replace(ko=None), last._replace(passed=False))
    return Told("\n".join(text), meant, is_exact=True)


@way
def board_of_openspiel(rng: Random) -> Told | None:
    game = drawn_game(rng, range(1, 18), passes=0)
    komi = rng.choice(["2.5", "2.5", "7.5"])
    rows = ["".join(row) for row in grid(game.board, "+XO")]
    head = f"GoState(komi={komi}, to_play={'BW'[len(game.moves) % 2]}, history.size()={len(game.moves)})"
    text = "\n".join([head, "", *(f" {5 - at} {row}" for at, row in enumerate(rows)), "   ABCDE", ""])
    return Told(text, (game.last._replace(ko=None),) if komi == "2.5" else (), is_exact=True)


@way
def board_of_gogui(rng: Random) -> Told | None:
    game = drawn_game(rng, range(2, 18), passes=0)
    rows, (black, white) = grid(game.board, ".XO"), captured_in(game)
    edge = "   A B C D E"
    lines = [f" {5 - at} {' '.join(row)} {5 - at}" for at, row in enumerate(rows)]
    side = ("Black", "White")[game.last.mover - 1]
    lines[0] += f"  {side} to play"
    lines[1] += f"  Prisoners: B {white}  W {black}"
    # GoGui's B are the black prisoners or Black's; both are read, and the smaller ply may differ.
    meant = tuple(
        {*fitting(game.board, game.last.mover, (black, white)), *fitting(game.board, game.last.mover, (white, black))}
    )
    return Told("\n".join([edge, *lines, edge]), meant) if meant else None


@way
def board_of_sensei(rng: Random) -> Told | None:
    board, mover = board_of(rng), rng.choice([1, 2])
    rows = [" ".join(row) for row in grid(board, ".XO")]
    meant = fitting(board, mover)
    frame = rng.random() < 0.6
    title = rng.choice(["", " Problem", " What now?", " my game"])
    lines = [f"$${'BW'[mover - 1]}{title}"]
    if frame:
        lines += ["$$ -------------", *(f"$$ | {row} |" for row in rows), "$$ -------------"]
    else:
        lines += [f"$$ {row}" for row in rows]
    return Told("\n".join(lines), meant, is_documented=not frame) if meant else None


@trap
def board_of_sensei_with_numbers(rng: Random) -> Told | None:
    """Numbers are moves that follow on the board: refuse, or read the board without or with them."""
    game = drawn_game(rng, range(4, 10), passes=0)
    count = rng.randint(1, 3)
    before = game.way[-1 - count]
    rows = grid(before, ".XO")
    for number, move in enumerate(game.moves[-count:], 1):
        if rows[move // SIZE][move % SIZE] != ".":
            return None
        rows[move // SIZE][move % SIZE] = str(number)
    lines = [f"$${'BW'[before.ply % 2]}", *(f"$$ {' '.join(row)}" for row in rows)]
    before_meant = fitting(before._replace(ko=None, passed=False), before.mover)
    after_meant = fitting(game.board, game.last.mover)
    return Told("\n".join(lines), (*before_meant, *after_meant), is_exact=True) if before_meant else None


@way
def board_of_the_host(rng: Random) -> Told | None:
    """One board as the host prints it, with a line that names the mover."""
    game = drawn_game(rng, range(2, 12), passes=0)
    side = game.last.mover
    mover: int | None = side
    lines = blank_board(game.last)
    style = rng.randrange(4)
    if style == 0:
        lines = [f"{'OX'[side - 1]} makes move...", str((game.moves[-1] // SIZE, game.moves[-1] % SIZE)), *lines]
    elif style == 1:
        lines = [*lines, "", f"{'XO'[side - 1]} makes move..."]
    elif style == 2:
        lines = [f"{('White', 'Black')[side - 1]} makes move...", *lines]
    else:
        mover = None
    if rng.random() < 0.3:
        lines = [line.rstrip() for line in lines]
    meant = fitting(game.board, mover)
    return Told("\n".join(lines), meant, is_exact=True) if meant else None


@way
def board_that_needs_a_pass(rng: Random) -> Told | None:
    """The side that moved last has no stone, so it passed."""
    game = drawn_game(rng, (1, 3, 5, 7), passes=0)
    board = game.board._replace(white=0)
    meant = fitting(board, 1)
    return (
        Told(
            around(rng, board, [rng.choice(["Black to move", "X to play", "Next: Black", "It is Black's turn."])]),
            meant,
        )
        if meant
        else None
    )


@way
def board_that_no_game_can_have(rng: Random) -> Told | None:
    board = board_of(rng)
    style = rng.randrange(3)
    if style == 0:
        return Told(around(rng, Position(white=1 << rng.randrange(25)), ["Black to move"]))
    if style == 1:
        return Told(around(rng, Position(black=0b100010 | board.black & ~1, white=(board.white & ~0b100011) | 1), []))
    return Told(around(rng, Position(), ["White to move"]))
