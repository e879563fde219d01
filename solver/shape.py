"""Measures of the shape of stones, for evaluations that do not search."""

from solver.position import POINTS, SIZE

_HAS_EAST = sum(1 << point for point in range(POINTS) if point % SIZE < SIZE - 1)


def euler(stones: int) -> int:
    """Return the groups less the holes in them (Gray 1971): stones - adjacent pairs + full squares of four.

    >>> euler(0b00011), euler(0b00101), euler(0b00011_00011)
    (1, 2, 1)
    """
    pairs = stones & stones >> 1 & _HAS_EAST
    down = stones >> SIZE
    return stones.bit_count() - pairs.bit_count() - (stones & down).bit_count() + (pairs & pairs >> SIZE).bit_count()
