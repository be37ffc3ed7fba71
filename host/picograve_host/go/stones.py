"""Stones on a Go board: which belong together, and moves that put them there.

Stones are a dict, {"E5": "black"}, with points as GTP writes them. A position of ours is what its
moves have made of the empty board, here, on a board and in a replay alike. So stones that nobody
played (a handicap, the setup of an SGF file) become moves of their colours, with passes of the
other where one has more. `moves_to` puts such passes between stones, never two in a row, which
would end the game. In any order, nothing is captured on the way: a chain that lacks a stone still
has its place as a liberty. A point taken so counts as a move until the cap of moves, and
superko knows the boards on the way; neither matters before the board is nearly full.
"""

from collections.abc import Collection, Iterable, Iterator

from picograve import Position

from picograve_host.protocols.habits import COLOURS, PASS

COLUMNS = "ABCDEFGHJKLMN"  # GTP leaves out I

Stones = dict[str, str]


def other(colour: str) -> str:
    return COLOURS[colour == COLOURS[0]]


def points_of(size: int) -> list[str]:
    """Row by row from A1, as a game's codes have them."""
    return [column + str(row) for row in range(1, size + 1) for column in COLUMNS[:size]]


def beside(point: str, size: int) -> Iterator[str]:
    """The points that lines join it to."""
    column, row = COLUMNS.index(point[0]), int(point[1:])
    for x, y in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
        if 0 <= x < size and 1 <= y <= size:
            yield COLUMNS[x] + str(y)


def stones_of(position: Position) -> Stones:
    """Those of a position of Go, the highest row first."""
    columns, *rows, _ = (line.split() for line in str(position).splitlines())
    return {
        column + row: COLOURS[".XO".index(cell) - 1]
        for row, *cells in rows
        for column, cell in zip(columns, cells, strict=True)
        if cell != "."
    }


def moves_to(stones: Stones, turn: int) -> list[str]:
    """Moves from the empty board to these stones with that player to move. The last is a stone of
    the other's, if it has any: a pass there would be half of the game's end."""
    black = [point for point, colour in stones.items() if colour == COLOURS[0]]
    white = [point for point, colour in stones.items() if colour == COLOURS[1]]
    rounds = max(len(black) - turn, len(white))
    if not stones:
        return [PASS] * turn
    black = [PASS] * (rounds + turn - len(black)) + black
    white = [PASS] * (rounds - len(white)) + white
    moves = [move for pair in zip(black, white, strict=False) for move in pair]
    return moves + black[rounds:]


def connected(start: str, among: Collection[str], size: int) -> list[str]:
    """The points of `among` that hang together with one of them."""
    found = [start]
    for point in found:
        found += [next_ for next_ in beside(point, size) if next_ in among and next_ not in found]
    return found


def pieces(points: Iterable[str], size: int) -> Iterator[list[str]]:
    """Points in connected pieces."""
    left = dict.fromkeys(points)
    while left:
        piece = connected(next(iter(left)), left, size)
        for point in piece:
            del left[point]
        yield piece


def chains(stones: Stones, size: int) -> list[list[str]]:
    return [
        chain
        for colour in COLOURS
        for chain in pieces((p for p, owner in stones.items() if owner == colour), size)
    ]


def chain_at(point: str, stones: Stones, size: int) -> list[str]:
    colour = stones[point]
    return connected(point, {p for p, owner in stones.items() if owner == colour}, size)


def liberties(chain: Iterable[str], stones: Stones, size: int) -> list[str]:
    """The empty points beside a chain."""
    return list(dict.fromkeys(p for stone in chain for p in beside(stone, size) if p not in stones))


def regions(stones: Stones, size: int) -> Iterator[tuple[list[str], set[str]]]:
    """The pieces of empty points, each with the stones around it."""
    for region in pieces((p for p in points_of(size) if p not in stones), size):
        yield region, {p for point in region for p in beside(point, size) if p in stones}
