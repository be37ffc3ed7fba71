"""Where handicap stones stand, as the specification of GTP (4.1.1) has it."""

from picograve_host.go.stones import COLUMNS, points_of

LEAST = 2
# Places in thirds of the board, column and row: 0 low, 1 in the middle, 2 high.
_CORNERS = [(0, 0), (2, 2), (0, 2), (2, 0)]
_SIDES = [(0, 1), (2, 1), (1, 0), (1, 2)]
_CENTRE = (1, 1)


def most_fixed(size: int) -> int:
    """How many stones a fixed handicap can have; 0: none."""
    if size < 7:
        return 0
    return 9 if size % 2 and size > 7 else 4


def fixed(size: int, count: int) -> list[str]:
    """The points of a fixed handicap of LEAST to most_fixed(size) stones."""
    edge = 3 if size < 12 else 4  # as GNU Go has it, the reference implementation
    lines = (edge, (size + 1) // 2, size + 1 - edge)
    places = (_CORNERS + _SIDES)[: count - count % 2 if count > 4 else count]
    if count > 4 and count % 2:
        places = [*places, _CENTRE]
    return [COLUMNS[lines[x] - 1] + str(lines[y]) for x, y in places]


def free(size: int, count: int) -> list[str]:
    """Points for any number of stones: those of a fixed handicap, then others from the centre."""
    count = min(count, size * size - 1)
    most = min(count, most_fixed(size))
    points = fixed(size, most) if most >= LEAST else []

    def from_centre(point):
        x, y = 2 * COLUMNS.index(point[0]) + 1 - size, 2 * int(point[1:]) - 1 - size
        return x * x + y * y

    others = sorted((p for p in points_of(size) if p not in points), key=from_centre)
    return points + others[: count - len(points)]
