"""The rules of Little-Go, on two 25-bit integers.

A board is a pair of bit sets. In each set, bit ``5 * i + j`` is the point in row i and column j::

          j=0 j=1 j=2 j=3 j=4
    i=0     0   1   2   3   4
    i=1     5   6   7   8   9
    i=2    10  11  12  13  14
    i=3    15  16  17  18  19
    i=4    20  21  22  23  24

A move is a point number, or ``PASS``. The module is part of ``my_player3.py`` and must run with Python 3.7.
"""

from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

SIZE = 5
POINTS = SIZE * SIZE
PASS = POINTS
GAME_PLIES = POINTS - 1
KOMI = SIZE / 2
FULL = (1 << POINTS) - 1

#: The point in the middle of the board, and for each point the number of steps to the middle.
CENTRE = POINTS // 2
FROM_CENTRE = [abs(p // SIZE - SIZE // 2) + abs(p % SIZE - SIZE // 2) for p in range(POINTS)]

_WEST_EDGE = sum(1 << (SIZE * i) for i in range(SIZE))
_NOT_WEST = FULL & ~_WEST_EDGE
_NOT_EAST = FULL & ~(_WEST_EDGE << (SIZE - 1))


#: The reasons in all messages about illegal moves: "0,0 is suicide".
OFF_BOARD, OCCUPIED, BY_KO, SUICIDE = "off the board", "occupied", "forbidden by ko", "suicide"


class IllegalMove(ValueError):
    """Raised for a move that loses the game at once.

    The point is occupied, off the board or forbidden by ko, the move is suicide, or the game is over.
    """


def neighbours(mask: int) -> int:
    """Return all points that are next to a point of ``mask``, including points of the mask itself.

    >>> sorted(points_of(neighbours(1 << 0)))
    [1, 5]
    """
    return ((mask << SIZE) & FULL) | (mask >> SIZE) | ((mask << 1) & _NOT_WEST) | ((mask >> 1) & _NOT_EAST)


def points_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the points in ``mask`` in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def group_of(seed: int, stones: int) -> int:
    """Return all stones that are connected with ``seed``, which is a subset of ``stones``."""
    group = seed
    while True:
        grown = (group | neighbours(group)) & stones
        if grown == group:
            return group
        group = grown


def groups_of(stones: int) -> Iterator[int]:
    """Yield the mask of each connected group of ``stones``."""
    while stones:
        group = group_of(stones & -stones, stones)
        yield group
        stones ^= group


def move_name(move: int) -> str:
    """Return a move in the notation of the host: ``i,j`` or ``PASS``.

    >>> move_name(12), move_name(PASS)
    ('2,2', 'PASS')
    """
    return "PASS" if move == PASS else f"{move // SIZE},{move % SIZE}"


def parse_move(text: str) -> int:
    """Return the move with this name, which must be ``i,j`` or ``PASS``. Raise ValueError for any other text.

    >>> parse_move("2,2"), parse_move("PASS")
    (12, 25)
    """
    if text == "PASS":
        return PASS
    if len(text) == 3 and text[1] == "," and text[0] in "01234" and text[2] in "01234":
        return SIZE * int(text[0]) + int(text[2])
    raise ValueError(f"not a move: {text!r}: write i,j with 0 <= i,j <= 4, or PASS")


class Position(NamedTuple):
    """An immutable position of the game of 24 plies.

    A game with an even number n of plies starts from the empty board at ply 24 - n.

    - ``black``, ``white``: the stones of each side, as bit sets that have no point in common.
    - ``ko``: the point that the ko rule forbids for the mover, or None.
    - ``ply``: the number of plies that were played, 0 to 24; Black moves if the number is even.
    - ``passed``: whether the last ply was a PASS.
    """

    black: int = 0
    white: int = 0
    ko: Optional[int] = None
    ply: int = 0
    passed: bool = False

    @property
    def left(self) -> int:
        """The number of plies left, 0 to 24; 0 means that the game is over."""
        return GAME_PLIES - self.ply

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ply >= GAME_PLIES

    @property
    def black_to_move(self) -> bool:
        """Whether Black is the mover."""
        return self.ply % 2 == 0

    @property
    def mover(self) -> int:
        """The number of the mover's colour: 1 is Black, and 2 is White."""
        return 1 if self.black_to_move else 2

    @property
    def pass_ends(self) -> bool:
        """Whether a PASS of the mover ends the game.

        The host ends the game after a PASS if the board is equal to the previous board. The boards are equal if the
        last ply was also a PASS, and on the first ply.
        """
        return self.passed or self.ply == 0

    @property
    def margin(self) -> int:
        """The number of Black's stones minus the number of White's stones, without komi."""
        return bin(self.black).count("1") - bin(self.white).count("1")

    def legal_points(self) -> int:
        """Return a mask of the mover's legal points. PASS is always legal, but it is not part of the mask."""
        mine, theirs = (self.black, self.white) if self.black_to_move else (self.white, self.black)
        empty = FULL & ~(mine | theirs)
        legal = empty & neighbours(empty)
        for group in groups_of(mine):
            liberties = neighbours(group) & empty
            if liberties & (liberties - 1):
                legal |= liberties
        for group in groups_of(theirs):
            liberties = neighbours(group) & empty
            if liberties & (liberties - 1) == 0:
                legal |= liberties
        if self.ko is not None:
            legal &= ~(1 << self.ko)
        return legal

    def legal_moves(self) -> List[int]:
        """Return the legal moves: points in ascending order, then PASS. If the game is over, return an empty list."""
        if self.is_over:
            return []
        return [*points_of(self.legal_points()), PASS]

    def allows(self, move: int) -> bool:
        """Return whether ``move`` is legal. The number may be any integer."""
        if self.is_over or move == self.ko or not 0 <= move <= PASS:
            return False
        if move == PASS:
            return True
        stone, empty = 1 << move, FULL & ~(self.black | self.white)
        # Most moves are legal because they have an empty neighbour. All legal points are computed only for other moves.
        return bool(stone & empty and (neighbours(stone) & empty or stone & self.legal_points()))

    def play(self, move: int) -> "Position":
        """Return the position after ``move``. Raise IllegalMove if the move is illegal.

        After a PASS that ends the game no plies are left, so the result has ``ply == 24``.
        """
        if self.is_over:
            raise IllegalMove("the game is over")
        if move == PASS:
            ply = GAME_PLIES if self.pass_ends else self.ply + 1
            return Position(self.black, self.white, None, ply, True)
        if not 0 <= move < POINTS:
            raise IllegalMove(f"{move!r} is {OFF_BOARD}")
        stone = 1 << move
        if (self.black | self.white) & stone:
            raise IllegalMove(f"{move_name(move)} is {OCCUPIED}")
        if move == self.ko:
            raise IllegalMove(f"{move_name(move)} is {BY_KO}")
        mine, theirs = (self.black, self.white) if self.black_to_move else (self.white, self.black)
        mine |= stone
        empty = FULL & ~(mine | theirs)
        captured = 0
        for group in groups_of(theirs):
            if not neighbours(group) & empty:
                captured |= group
        theirs ^= captured
        group = group_of(stone, mine)
        liberties = neighbours(group) & (empty | captured)
        if not liberties:
            raise IllegalMove(f"{move_name(move)} is {SUICIDE}")
        # The opponent can restore the board before this move only if this move captures a single stone, and if the new
        # stone is a single stone whose only liberty is the captured point.
        is_ko = group == stone and liberties == captured and captured & (captured - 1) == 0
        ko = captured.bit_length() - 1 if is_ko else None
        black, white = (mine, theirs) if self.black_to_move else (theirs, mine)
        return Position(black, white, ko, self.ply + 1, False)

    def check(self) -> None:
        """Raise ValueError if this position is impossible. The message states the fault.

        The numbers must be in range, no point may have two stones, and each group must have a liberty. If there is a ko
        point, this point must be empty, the last ply must not be a PASS, and the opponent must have a stone that can
        have captured there. The method does not check whether a game can reach the position.
        """
        if not (0 <= self.black <= FULL and 0 <= self.white <= FULL):
            raise ValueError(f"a stone is {OFF_BOARD}")
        if self.black & self.white:
            point = next(points_of(self.black & self.white))
            raise ValueError(f"{move_name(point)} holds both a black and a white stone")
        if not 0 <= self.ply <= GAME_PLIES:
            raise ValueError(f"ply {self.ply!r} is not within 0 to {GAME_PLIES}")
        if self.ply == 0 and (self.black or self.white or self.passed):
            raise ValueError("the game starts from the empty board")
        empty = FULL & ~(self.black | self.white)
        for stones in (self.black, self.white):
            # The stones ``dead``, which can belong to several groups, are not connected with an empty point.
            dead = stones & ~group_of(neighbours(empty) & stones, stones)
            if dead:
                raise ValueError(f"the group at {move_name(next(points_of(dead)))} has no liberty")
        if self.ko is not None:
            self._check_ko(empty)

    def _check_ko(self, empty: int) -> None:
        if self.ko is None or not 0 <= self.ko < POINTS:
            raise ValueError(f"the ko point {self.ko!r} is {OFF_BOARD}")
        name = move_name(self.ko)
        if self.passed:
            raise ValueError(f"ko at {name} after a PASS: a PASS lifts every ko")
        point = 1 << self.ko
        if not point & empty:
            raise ValueError(f"the ko point {name} is {OCCUPIED}")
        taker = self.white if self.black_to_move else self.black
        around = neighbours(point)
        if around & ~taker:
            raise ValueError(f"the ko point {name} is not surrounded by the opponent")
        lone = [g for g in groups_of(taker) if g & around and neighbours(g) & empty == point and g & (g - 1) == 0]
        if not lone:
            raise ValueError(f"no single stone next to {name} can have captured there")

    def rows(self) -> List[str]:
        """Return the five rows of the board in the digits of the host: 0 is empty, 1 is Black, and 2 is White."""
        return [
            "".join(
                "1" if self.black >> p & 1 else "2" if self.white >> p & 1 else "0"
                for p in range(SIZE * i, SIZE * i + SIZE)
            )
            for i in range(SIZE)
        ]

    def diagram(self) -> str:
        """Return a text picture of the board with coordinates: X is Black, O is White, and ``+`` is the ko point."""
        lines = ["  0 1 2 3 4"]
        for i, row in enumerate(self.rows()):
            marks = [".XO"[int(c)] for c in row]
            if self.ko is not None and self.ko // SIZE == i:
                marks[self.ko % SIZE] = "+"
            lines.append(f"{i} " + " ".join(marks))
        return "\n".join(lines)


START = Position()


def start_of(plies: int) -> Position:
    """Return the first position of a game that has this number of plies.

    >>> start_of(8).left
    8
    """
    return Position(ply=GAME_PLIES - plies)


def parse_rows(rows: Sequence[str]) -> Tuple[int, int]:
    """Return the masks of Black's and White's stones from five rows in the digits of the host.

    Raise ValueError if a row is invalid. The message contains the first invalid row.
    """
    if len(rows) != SIZE:
        raise ValueError(f"{len(rows)} rows instead of {SIZE}")
    black = white = 0
    for i, row in enumerate(rows):
        if len(row) != SIZE or row.strip("012"):
            raise ValueError(f"row {i} is {row!r}: write five digits, each 0, 1 or 2")
        for j, digit in enumerate(row):
            bit = 1 << (SIZE * i + j)
            if digit == "1":
                black |= bit
            elif digit == "2":
                white |= bit
    return black, white


def play_all(position: Position, moves: Iterable[int]) -> Position:
    """Return the position after all ``moves``. If a move is illegal, raise IllegalMove with the number of the move."""
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return position


def parse_moves(text: str) -> List[int]:
    """Return the moves in ``text``, which are separated by blanks. Raise ValueError if a word is not a move."""
    return [parse_move(word) for word in text.split()]
