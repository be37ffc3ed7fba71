"""Shapes of 3x3 points that are good moves in Go, learned from games of our own search.

    python -m picograve_tools.learn_shapes play 250 1 out/shapes-1.json   # games, seed, counts
    python -m picograve_tools.learn_shapes write out/shapes-*.json        # knowledge/go.py

`play` lets GRAVE play itself on 9x9, with tactical replies and priors but without shapes, 1,000
playouts per move, a few random moves first. For every move it counts, at each playable point beside
the last move, the shape seen there, and whether that point was chosen. `write` takes the shapes that
were chosen beyond doubt more often than RATE: by the lower end of an Agresti-Coull interval of
80 %. Shapes that differ by turning or mirroring count as one; colours are own and the other's.
"""

import json
import random
import sys
from collections import Counter
from itertools import product
from math import sqrt
from pathlib import Path

RATE = 0.12  # of all points beside the last move, one in twelve is chosen
Z = 1.2816  # 80 %
INNER, CORNER, BITS = 81, 192, 256  # = picograve.knowledge.go
EMPTY, OWN, OTHER, OUTSIDE = range(4)
# A shape is eight cells: above, left, right, below; then above left, above right, below left, right.
AS_SEEN = {1: (EMPTY, OWN, OTHER, OUTSIDE), 2: (EMPTY, OTHER, OWN, OUTSIDE)}  # by colour
TURN = (1, 3, 0, 2, 6, 4, 7, 5)  # a quarter: where each cell comes from
MIRROR = (0, 2, 1, 3, 5, 4, 7, 6)
HEADER = '''"""The 3x3 shapes that Go's replies and priors know; made by picograve_tools.learn_shapes.

The eight points around a move are two bits each, as the player sees them: 0 empty, 1 own, 2 the
other's, 3 outside. The four beside it make a byte (above, left, right, below, lowest first), the
four diagonal ones another (above left, above right, below left, below right). KNOWN is a table and
then a bitmap:

    KNOWN[byte]         base 3, 0 to 80, if nothing is outside; INNER + 27 * side + the other three
                        if one point beside the move is; CORNER + the other two if two are
    KNOWN[BITS + n // 8] >> n % 8 & 1
                        whether shape n is good: n = INNER * beside + diagonal, or, at an edge,
                        INNER * INNER + 9 * (beside - INNER) + diagonal - CORNER

{made} of {all} shapes are good, {classes} if turned and mirrored ones are one. In the games of
{moves} moves that they were learned from, {share} of all moves made one of them beside the last move.
"""

INNER = 81
CORNER = 192
BITS = 256
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


def code_of(cells):
    """What the table says of four cells."""
    outside = [place for place, cell in enumerate(cells) if cell == OUTSIDE]
    inside = [cell for cell in cells if cell != OUTSIDE]
    if not outside:
        return _base3(cells)
    if len(outside) == 1:
        return INNER + 27 * outside[0] + _base3(inside)
    return CORNER + _base3(inside) if len(outside) == 2 else 255


def number_of(cells):
    """The number of a shape that is not in a corner."""
    beside, diagonal = code_of(cells[:4]), code_of(cells[4:])
    if beside < INNER:
        return INNER * beside + diagonal
    return INNER * INNER + 9 * (beside - INNER) + diagonal - CORNER


def shapes():
    """All shapes: inside, and at each edge."""
    yield from product(range(3), repeat=8)
    for outside in ((0, 4, 5), (1, 4, 6), (2, 5, 7), (3, 6, 7)):
        for cells in product(range(3), repeat=5):
            rest = iter(cells)
            yield tuple(OUTSIDE if place in outside else next(rest) for place in range(8))


def alike(shape):
    """A shape turned and mirrored."""
    for _ in range(4):
        shape = tuple(shape[place] for place in TURN)
        yield shape
        yield tuple(shape[place] for place in MIRROR)


def play(games, seed, out, playouts=1000):
    """Play and count: {shape: [seen, chosen]} to a file after every ten games."""
    from picograve import Budget, Config, Searcher, load
    from picograve.games import go

    game = load("go9")
    game.known = game.known[:BITS] + bytes(len(game.known) - BITS)  # no shape is good
    config = Config("graver", playouts=playouts, playout_policy="reply", prior=100)
    searcher = Searcher(game, config, Budget(nodes=playouts + 2))
    row = go._ROW
    steps = (-row, -1, 1, row, -row - 1, -row + 1, row - 1, row + 1)
    counts: dict[str, list[int]] = {}
    moves = 0
    for number in range(games):
        dice = random.Random(seed * 1000 + number)
        searcher.seed = seed * 100_000 + number
        searcher.new_game()
        for _ in range(dice.randrange(5)):
            centre = [move for move in searcher.legal_moves() if move[0] in "CDEFG"]
            searcher.play(dice.choice(centre))
        while not searcher.is_over and len(searcher.history) < 70:
            result = searcher.search()
            if not 0.05 < result.value < 0.95:
                break
            root, colour = searcher.buffers["root"], searcher.turn + 1
            for move in searcher._listed():
                if searcher.history and move - searcher.history[-1] in steps:
                    cells = [int(root[go._CELL + move + step]) for step in steps]
                    seen = min(alike(tuple(AS_SEEN[colour][cell] for cell in cells)))
                    count = counts.setdefault("".join(map(str, seen)), [0, 0])
                    count[0] += 1
                    count[1] += game.text(move) == result.move
            moves += 1
            searcher.play(result.move)
        if number % 10 == 9 or number == games - 1:
            Path(out).write_text(json.dumps({"moves": moves, "counts": counts}))
            print("%d games, %d moves, %d shapes" % (number + 1, moves, len(counts)), flush=True)


def is_good(seen, chosen):
    """Whether a shape is chosen more often than RATE, beyond doubt."""
    weight = seen + Z * Z
    rate = (chosen + Z * Z / 2) / weight
    return rate - Z * sqrt(rate * (1 - rate) / weight) > RATE


def write(files):
    """The shapes that are good by all counts together, as knowledge/go.py."""
    counts: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    moves = 0
    for file in files:
        data = json.loads(Path(file).read_text())
        moves += data["moves"]
        for shape, (seen, taken) in data["counts"].items():
            counts[shape] += seen
            chosen[shape] += taken
    good = {shape for shape in counts if is_good(counts[shape], chosen[shape])}
    table = [code_of([byte >> 2 * place & 3 for place in range(4)]) for byte in range(256)]
    bits = bytearray((INNER * INNER + 4 * 243 + 7) // 8)
    made = 0
    for shape in shapes():
        if "".join(map(str, min(alike(shape)))) in good:
            number = number_of(shape)
            bits[number >> 3] |= 1 << (number & 7)
            made += 1
    data = bytes(table) + bytes(bits)
    lines = [
        '    b"%s"' % "".join("\\x%02x" % byte for byte in data[at : at + 23])
        for at in range(0, len(data), 23)
    ]
    share = "%.0f %%" % (100 * sum(chosen[shape] for shape in good) / max(moves, 1))
    text = HEADER.format(
        made=made, all=len(list(shapes())), classes=len(good), moves=moves, share=share,
        lines="\n".join(lines),
    )  # fmt: skip
    print(
        "%d shapes, %d if turned and mirrored ones are one, %s of the moves"
        % (made, len(good), share)
    )
    return text


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        import picograve

        path = Path(picograve.__file__).parent / "knowledge" / "go.py"
        path.write_text(write(sys.argv[2:]))
