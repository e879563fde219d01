"""Ways to list the stones of a board by colour, in text."""

from random import Random

from little_go.solver.position import SIZE, Position
from tests.notation.ways.games import Told, drawn_game, fitting, host, letters, low, stones_of, tight, vertex
from tests.notation.ways.registry import way

#: The words for both sides in several languages.
SIDES = (
    ("Black", "White"), ("black", "white"), ("B", "W"), ("X", "O"), ("BLACK", "WHITE"), ("Schwarz", "Weiß"),
    ("Noir", "Blanc"),
    ("Noirs", "Blancs"), ("Negras", "Blancas"), ("Negro", "Blanco"), ("黒", "白"), ("黑", "白"), ("黑棋", "白棋"),
    ("●", "○"), ("⚫", "⚪"),
    ("Black (X)", "White (O)"), ("black stones", "white stones"), ("Black stones", "White stones"), ("흑", "백"),
    ("b", "w"), ("x", "o"),
    ("Player 1", "Player 2"), ("AB", "AW"), ("Black has", "White has"), ("Black's stones", "White's stones"),
    ("**Black**", "**White**"), ("Preto", "Branco"), ("Чёрные", "Белые"),
)  # fmt: skip
ENGLISH = SIDES[:5]


def drawn_board(rng: Random, plies: range = range(2, 12)) -> Position:
    return drawn_game(rng, plies, passes=0.04).board


def listed(rng: Random, points: list[int]) -> str:
    name = rng.choice((vertex, vertex, low, host, tight))
    return rng.choice([" ", ", ", ", "]).join(map(name, rng.sample(points, len(points))))


def list_text(rng: Random, board: Position, sides: tuple[str, str]) -> str | None:
    """Return two lists in one of many forms; None for a board that needs a word for an empty list."""
    blacks, whites = stones_of(board)
    if not blacks or not whites:
        return None
    name, between = rng.choice((vertex, vertex, low, host, tight)), rng.choice([" ", ", ", ", "])
    lists = [between.join(map(name, rng.sample(points, len(points)))) for points in (blacks, whites)]
    pairs = [*zip(sides, lists, strict=True)]
    if rng.random() < 0.2:
        pairs.reverse()
    if min(len(blacks), len(whites)) == 1:
        # ``B C3 W B4 A2`` may be moves, the last one without its mark.
        forms = ["{}: {}", "{}: [{}]", "{} = {}", "- {}: {}"]
    else:
        forms = [
            "{}: {}",
            "{}: {}",
            "{} {}",
            "{} [{}]",
            "{}: [{}]",
            "{} = {}",
            "{}={}",
            "{} ({})",
            "{} - {}",
            "{}: {};",
            "{} at {}",
            "- {}: {}",
            "{}: {}.",
        ]
    form = rng.choice(forms)
    end = rng.choice(["\n", "\n", "  ", "; ", " / ", ", ", " | ", "\n\n"])
    return end.join(form.format(*pair) for pair in pairs)


@way
def stones_by_colour(rng: Random) -> Told | None:
    board = drawn_board(rng)
    text, meant = list_text(rng, board, rng.choice(ENGLISH)), fitting(board)
    return Told(text, meant) if text and meant else None


@way
def stones_by_colour_in_other_words(rng: Random) -> Told | None:
    board = drawn_board(rng)
    text, meant = list_text(rng, board, rng.choice(SIDES)), fitting(board)
    return Told(text, meant) if text and meant else None


@way
def stones_by_colour_and_the_mover(rng: Random) -> Told | None:
    board, mover = drawn_board(rng), rng.choice([1, 2])
    text, meant = list_text(rng, board, rng.choice(ENGLISH)), fitting(board, mover)
    side = ("Black", "White")[mover - 1]
    line = rng.choice(
        [
            "{} to move",
            "{} to play",
            "Next: {}",
            "Turn: {}",
            "To move: {}",
            "{}'s turn",
            "It is {}'s turn.",
            "Player to move: {}",
        ]
    )
    if not text or not meant:
        return None
    lines = [line.format(side), text]
    return Told("\n".join(lines if rng.random() < 0.4 else lines[::-1]), meant)


@way
def stones_of_one_colour(rng: Random) -> Told | None:
    """The other side has none."""
    game = drawn_game(rng, (1, 3, 5), passes=0)
    board = game.board._replace(white=0)
    black, white = rng.choice(ENGLISH)
    points = listed(rng, stones_of(board)[0])
    form = rng.choice(
        [
            "{b}: {p}",
            "{b} {p}",
            "{b}: {p}\n{w}:",
            "{b}: {p}\n{w}: none",
            "{b}: {p}\n{w}: -",
            "{b} [{p}] {w} []",
            "{b}: {p}, {w}: (none)",
        ]
    )
    text, meant = form.format(b=black, w=white, p=points), fitting(board)
    # One move is one stone: then ``Black: C3`` is a game as well, of the same position.
    return Told(text, meant) if meant else None


@way
def stones_in_code(rng: Random) -> Told | None:
    """Lists in a program's source or print."""
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    name = rng.choice([vertex, host])
    pairs = [[(point // SIZE, point % SIZE) for point in points] for points in (blacks, whites)]
    names = [[name(point) for point in points] for points in (blacks, whites)]
    form = rng.choice(
        ["black = {0}\nwhite = {1}", "black={0}, white={1}", "black_stones = {0}\nwhite_stones = {1}",
         "{{'black': {0}, 'white': {1}}}",
         "B = {0}; W = {1}", "Board(black={0}, white={1})", "black: {0}\nwhite: {1}", "{{'B': {0}, 'W': {1}}}",
         "{{1: {0}, 2: {1}}}", "blacks = set({0})\nwhites = set({1})"]
    )  # fmt: skip
    meant = fitting(board)
    one, two = pairs if rng.random() < 0.5 else names
    return Told(form.format(one, two), meant) if meant and blacks and whites else None


@way
def stones_as_in_sgf(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    lists = ["".join(f"[{letters(point)}]" for point in points) for points in (blacks, whites)]
    names = [" ".join(map(vertex, points)) for points in (blacks, whites)]
    text = rng.choice(["AB{} AW{}", "AB{}\nAW{}", ";AB{}AW{}", "AB{}AW{}"]).format(*lists)
    if rng.random() < 0.3:
        text = rng.choice(["AB: {} AW: {}", "AB {} AW {}", "ab {}\naw {}"]).format(*names)
    meant = fitting(board)
    return Told(text, meant, is_exact=True) if meant and blacks and whites else None


@way
def stones_in_a_table(rng: Random) -> Told | None:
    """One stone a line: its side and its point."""
    board = drawn_board(rng)
    stones = [(side, point) for side, points in enumerate(stones_of(board)) for point in points]
    if rng.random() < 0.5:
        rng.shuffle(stones)
    head, form = rng.choice(
        [("colour,point", "{c},{v}"), ("stone,row,col", "{c},{r},{k}"), ("row,col,colour", "{r},{k},{c}"),
         ("point;colour", "{v};{c}"),
         ("vertex\tcolor", "{v}\t{c}"), ("color,vertex", "{s},{v}"), ("point,stone", "{v},{s}")]
    )  # fmt: skip
    lines = [
        form.format(c=("black", "white")[side], s="BW"[side], v=vertex(point), r=point // SIZE, k=point % SIZE)
        for side, point in stones
    ]
    meant = fitting(board)
    # If the sides alternate, such a table may be one of moves, in which stones may be captured.
    is_game = all(side == at % 2 for at, (side, _) in enumerate(stones))
    return Told("\n".join([head, *lines]), meant, is_exact=True) if meant and not is_game else None


@way
def stones_in_prose(rng: Random) -> Told | None:
    board, mover = drawn_board(rng), rng.choice([1, 2])
    blacks, whites = stones_of(board)
    if not blacks or not whites:
        return None
    lists = [joined([*map(rng.choice((vertex, host)), points)]) for points in (blacks, whites)]
    side, meant = ("Black", "White")[mover - 1], fitting(board, mover)
    form = rng.choice(
        ["Black has stones at {0}; White at {1}. {2} to move.", "Black stones on {0}, white stones on {1}, {2} to play",
         "Position: Black {0}, White {1}, {2} to move", "X at {0}, O at {1}. It's {2}'s turn.",
         "There are black stones at {0} and white ones at {1}. {2} is next.",
         "Black occupies {0}. White occupies {1}. {2} plays next."]
    )  # fmt: skip
    return Told(form.format(*lists, side), meant) if meant else None


def joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


@way
def stones_with_the_number_first(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    meant = fitting(board)
    form = rng.choice(
        [
            "Black ({0}): {1}\nWhite ({2}): {3}",
            "{0} black stones: {1}\n{2} white stones: {3}",
            "Black, {0} stones: {1}\nWhite, {2} stones: {3}",
        ]
    )
    text = form.format(len(blacks), listed(rng, blacks), len(whites), listed(rng, whites))
    return Told(text, meant) if meant and blacks and whites else None


@way
def stones_that_share_a_point(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    if not blacks or len(whites) < 2:
        return None
    whites.append(rng.choice(blacks))
    name = rng.choice((vertex, host))
    sides = rng.choice(ENGLISH)
    return Told(
        "\n".join(
            f"{side}: {', '.join(map(name, points))}" for side, points in zip(sides, (blacks, whites), strict=True)
        )
    )


@way
def stones_without_a_liberty(rng: Random) -> Told:
    """A white stone in the corner that is surrounded."""
    more = rng.sample(range(7, 25), 2)
    blacks = sorted({1, 5, *more})
    sides = rng.choice(ENGLISH)
    name = rng.choice((vertex, host))
    return Told(f"{sides[0]}: {', '.join(map(name, blacks))}\n{sides[1]}: {name(0)}")


@way
def stones_by_colour_in_moves_of_json(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    meant = fitting(board)
    if not meant or len(blacks) < 2 or len(whites) < 2:
        return None
    one, two = ([*map(rng.choice((vertex, host)), points)] for points in (blacks, whites))
    quoted = ['", "'.join(points) for points in (one, two)]
    text = rng.choice(
        [
            f'{{"moves": ["B", "{quoted[0]}", "W", "{quoted[1]}"]}}',
            f'{{"moves": [["B", "{quoted[0]}"], ["W", "{quoted[1]}"]]}}',
            f'{{"moves": "B {" ".join(one)} W {" ".join(two)}"}}',
            f'{{"moves": "Black: {", ".join(one)}, White: {", ".join(two)}"}}',
            f'{{"moves": "Black: {" ".join(one)}\\nWhite: {" ".join(two)}"}}',
            f'{{"moves": {{"black": ["{quoted[0]}"], "white": ["{quoted[1]}"]}}}}',
        ]
    )
    return Told(text, meant)


@way
def stones_by_colour_in_a_link(rng: Random) -> Told | None:
    board = drawn_board(rng)
    blacks, whites = stones_of(board)
    meant = fitting(board)
    if not meant or len(blacks) < 2 or len(whites) < 2:
        return None
    marks = rng.choice([("B", "W"), ("b", "w"), ("X", "O")])
    between = rng.choice([".", ",", "%20"])
    lists = [f"{mark}{between.join(map(host, points))}" for mark, points in zip(marks, (blacks, whites), strict=True)]
    return Told(f"explorer.html#moves={'.'.join(lists)}", meant)


@way
def stones_of_both_players_as_moves(rng: Random) -> Told | None:
    """``Black's moves`` and ``White's moves`` are a game: the moves of each side in order."""
    game = drawn_game(rng, range(4, 12))
    name = rng.choice((vertex, host))
    one, two = ([*map(name, game.moves[side::2])] for side in (0, 1))
    form = rng.choice(
        ["Black moves: {}\nWhite moves: {}", "Black's moves: {}\nWhite's moves: {}",
         "black_moves = {}\nwhite_moves = {}", "Moves of Black: {}\nMoves of White: {}",
         "Black played {}; White played {}", '{{"black_moves": "{}", "white_moves": "{}"}}',
         "Coups de Noir : {}\nCoups de Blanc : {}"]
    )  # fmt: skip
    return Told(form.format(", ".join(one), ", ".join(two)), (game.last,))
