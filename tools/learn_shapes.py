"""Shapes of 3x3 points that are good moves in Go, learned from games of our own search.

    python -m picograve_tools.learn_shapes write                          # no shape is good
    python -m picograve_tools.learn_shapes play 120 1 out/shapes-1.json   # games, seed, counts
    python -m picograve_tools.learn_shapes play 120 2 out/shapes-2.json
    python -m picograve_tools.learn_shapes write out/shapes-*.json        # to knowledge/go.py

`play` lets GRAVE play itself on 9x9, with all replies and priors that it has so far, 1,000 playouts
per move, a few random moves first. For every move it counts, at each playable point beside the last
move, the shape seen there, and whether that point was chosen. `write` takes the shapes that were
chosen more often than RATE, each counted as if it had been seen WEIGHT times more and chosen as
often as all are. Shapes that differ by turning or mirroring count as one; colours are own and the
other's.

The counts behind the table that ships are host/results/knowledge-go/shapes-*.json: `write` makes
it of them, byte for byte. They were played before tactical replies took the first answer they find
instead of any, so `play` gives other counts today, and a table that is alike, not the same.
"""

import json
import random
import sys
from collections import Counter
from itertools import product
from pathlib import Path

RATE = 0.08  # that of all points beside the last move: what is better than most
WEIGHT = 10
INNER, HOPELESS = 81, 255  # = picograve.knowledge.go
EMPTY, OWN, OTHER, OUTSIDE = range(4)
# A shape is eight cells: above, left, right, below; above left, above right, below left, below
# right.
AS_SEEN = {1: (EMPTY, OWN, OTHER, OUTSIDE), 2: (EMPTY, OTHER, OWN, OUTSIDE)}  # by colour
TURN = (1, 3, 0, 2, 6, 4, 7, 5)  # a quarter: where each cell comes from
MIRROR = (0, 2, 1, 3, 5, 4, 7, 6)
HEADER = '''"""The 3x3 shapes that Go knows; made by picograve_tools.learn_shapes, which says how.

The eight points around a move are two bits each, as the player sees them: 0 empty, 1 own, 2 the
other's, 3 outside. The four beside it make a byte (above, left, right, below, lowest first), the
four diagonal ones another (above left, above right, below left, below right). KNOWN is two tables
and a bitmap:

    KNOWN[sides]        base 3, 0 to 80, if nothing is outside; INNER + 27 * place + the other three
                        if one point is; HOPELESS in a corner and where no good shape has these
    KNOWN[CORNERS + corners]
                        base 3 of those that are not outside
    KNOWN[BITS + n // 8] >> n % 8 & 1
                        whether shape n is good: n = INNER * sides + corners, or, at an edge,
                        INNER * INNER + 9 * (sides - INNER) + corners, as the tables have them

{made} of {all} shapes are good, {classes} if turned and mirrored ones are one. In the games of
{moves} moves that they were learned from, {share} of the moves made one, beside the last move.
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
    config = Config("grave", "paper", playouts=playouts, playout_policy="reply", prior=100)
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
                if move and searcher.history and move - searcher.history[-1] in steps:
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
    mean = sum(chosen.values()) / max(sum(counts.values()), 1)
    good = {
        shape
        for shape, seen in counts.items()
        if (chosen[shape] + WEIGHT * mean) / (seen + WEIGHT) > RATE
    }
    hopeful = set()
    bits = bytearray((INNER * INNER + 4 * 243 + 7) // 8)
    made = 0
    for shape in shapes():
        if "".join(map(str, min(alike(shape)))) in good:
            number = number_of(shape)
            bits[number >> 3] |= 1 << (number & 7)
            hopeful.add(shape[:4])
            made += 1
    quads = [cells_of(byte) for byte in range(256)]
    sides = [code_of(cells) if cells in hopeful else HOPELESS for cells in quads]
    corners = [_base3(cell for cell in cells if cell != OUTSIDE) for cells in quads]
    data = bytes(sides) + bytes(corners) + bytes(bits)
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
