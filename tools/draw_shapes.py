"""The shapes of 3x3 points that are good moves in Go, from drawings to a table.

    python -m picograve_tools.draw_shapes    # writes knowledge/go.py

After the families of S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns
in Monte-Carlo Go", INRIA RR-6062, 2006: hane, cuts, and moves at the edge. They were drawn from
memory, not compared with the paper's figures, some of which hold for one colour only; here all are
good when turned, mirrored, and with the colours changed. To try another shape, draw it;
host/results says what they are worth, and what became of a table that was learned from games.
"""

from itertools import product
from pathlib import Path

# Three rows, the move in the middle. X, O: the two colours; . empty; x: not X, o: not O, neither of
# them outside; ? anything; - outside.
DRAWINGS = {
    "hane that encloses": "XOX ... ???",
    "hane that does not cut": "XO. ... ?.?",
    "hane from a corner of one's own": "XO? X.. x.?",
    "hane at a pair": "XOO ... ?.?",
    "cut, not protected": "XO? O.o ?o?",
    "cut, peeped at": "XO? O.X ???",
    "cut between two": "?X? O.O ooo",
    "cut of a knight's move": "OX? o.O ???",
    "chase along the edge": "X.? O.? ---",
    "cut blocked at the edge": "OX? X.O ---",
    "link blocked at the edge": "?X? x.O ---",
    "descent to the edge": "?XO x.x ---",
    "cut at the edge": "?OX X.O ---",
}
EMPTY, BLACK, WHITE, OUTSIDE = range(4)
INNER, HOPELESS = 81, 255  # = picograve.knowledge.go
# A shape is eight cells: above, left, right, below; above left, above right, below left, below
# right. These are their places in a drawing.
PLACES = (1, 4, 6, 9, 0, 2, 8, 10)
TURN = (1, 3, 0, 2, 6, 4, 7, 5)  # a quarter: where each cell comes from
MIRROR = (0, 2, 1, 3, 5, 4, 7, 6)
OTHER_SIDE = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, OUTSIDE: OUTSIDE}
MEANING = {
    ".": {EMPTY},
    "X": {BLACK},
    "O": {WHITE},
    "x": {EMPTY, WHITE},
    "o": {EMPTY, BLACK},
    "?": {EMPTY, BLACK, WHITE, OUTSIDE},
    "-": {OUTSIDE},
}
HEADER = '''"""The 3x3 shapes that Go knows; made by picograve_tools.draw_shapes, which shows them.

The eight points around a move are two bits each: 0 empty, 1 black, 2 white, 3 outside; a shape is
as good for the other colour. The four beside it make a byte (above, left, right, below, lowest
first), the four diagonal ones another (above left, above right, below left, below right). KNOWN is
two tables and a bitmap:

    KNOWN[sides]        base 3, 0 to 80, if nothing is outside; INNER + 27 * place + the other three
                        if one point is; HOPELESS in a corner and where no good shape has these
    KNOWN[CORNERS + corners]
                        base 3 of those that are not outside
    KNOWN[BITS + n // 8] >> n % 8 & 1
                        whether shape n is good: n = INNER * sides + corners, or, at an edge,
                        INNER * INNER + 9 * (sides - INNER) + corners, as the tables have them

{made} of {all} shapes are good.
"""

INNER = 81
HOPELESS = 255
CORNERS = 256
BITS = 512
# fmt: off
KNOWN = (
{lines}
)
'''


def _base3(cells):
    number = 0
    for cell in cells:
        number = 3 * number + cell
    return number


def code_of(sides):
    """Of the four cells beside a move."""
    outside = [place for place, cell in enumerate(sides) if cell == OUTSIDE]
    number = _base3(cell for cell in sides if cell != OUTSIDE)
    if not outside:
        return number
    return INNER + 27 * outside[0] + number if len(outside) == 1 else HOPELESS


def number_of(shape):
    """The number of a shape that is not in a corner."""
    sides, corners = code_of(shape[:4]), _base3(cell for cell in shape[4:] if cell != OUTSIDE)
    if sides < INNER:
        return INNER * sides + corners
    return INNER * INNER + 9 * (sides - INNER) + corners


def cells_of(byte):
    """The four cells that a byte stands for."""
    return tuple(byte >> 2 * place & 3 for place in range(4))


def shapes():
    """All shapes: inside, and at each edge."""
    yield from product(range(3), repeat=8)
    for outside in ((0, 4, 5), (1, 4, 6), (2, 5, 7), (3, 6, 7)):
        for cells in product(range(3), repeat=5):
            rest = iter(cells)
            yield tuple(OUTSIDE if place in outside else next(rest) for place in range(8))


def alike(shape):
    """A shape turned, mirrored, and with the colours changed."""
    for _ in range(4):
        shape = tuple(shape[place] for place in TURN)
        for seen in (shape, tuple(shape[place] for place in MIRROR)):
            yield seen
            yield tuple(OTHER_SIDE[cell] for cell in seen)


def is_drawn(shape):
    """Whether a drawing shows it, as it stands."""
    return any(
        all(cell in MEANING[drawing[place]] for cell, place in zip(shape, PLACES, strict=True))
        for drawing in DRAWINGS.values()
    )


def good_shapes():
    return [shape for shape in shapes() if any(is_drawn(other) for other in alike(shape))]


def table():
    """The bytes of KNOWN."""
    bits = bytearray((INNER * INNER + 4 * 243 + 7) // 8)
    hopeful = set()
    for shape in good_shapes():
        number = number_of(shape)
        bits[number >> 3] |= 1 << (number & 7)
        hopeful.add(shape[:4])
    quads = [cells_of(byte) for byte in range(256)]
    sides = [code_of(cells) if cells in hopeful else HOPELESS for cells in quads]
    corners = [_base3(cell for cell in cells if cell != OUTSIDE) for cells in quads]
    return bytes(sides) + bytes(corners) + bytes(bits)


def text():
    """knowledge/go.py."""
    data = table()
    lines = [
        '    b"%s"' % "".join("\\x%02x" % byte for byte in data[at : at + 23])
        for at in range(0, len(data), 23)
    ]
    return HEADER.format(made=len(good_shapes()), all=len(list(shapes())), lines="\n".join(lines))


if __name__ == "__main__":
    import picograve

    (Path(picograve.__file__).parent / "knowledge" / "go.py").write_text(text())
