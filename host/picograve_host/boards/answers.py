"""The schema of a board's answers: what each field is, how large and how long it may be.

link.py holds every answer against it before anybody sees it, the fuzzers make good and bad answers
of it, and a test asks a board every request and holds what it says against it. The requests' own
limits are in the service (firmware/picograve_board/service.py), which has no RAM for a table.
"""

from picograve.figures import FIGURES, MEASURED

from picograve_host.outside import COUNT, Kind, Maybe, Named, Rows, Text, Truth, Whole

NUMBER = Whole(0, COUNT)
BYTES = Whole(0, 2**40)  # of a heap; a simulated board's may be any
MICROSECONDS = Whole(0, 2**50)  # 35 years
NAME = Text(100)
MOVE = Text(64)  # the longest of ours, a letter for each of 16 ships, has 16
MOST_CELLS = 4000  # letters of a look at the pool: 256 nodes, in base 64
MOST_MOVES = 65536  # of a position: moves are 16 bits

HEAP: dict[str, Kind] = dict.fromkeys(("heap_used", "heap_free", "heap_largest"), Maybe(BYTES))
PROGRESS: dict[str, Kind] = dict(thinking=Truth(), playouts=NUMBER)
PLY: dict[str, Kind] = dict(ply=Whole(0, 65535))
FIGURE: dict[str, Kind] = {  # those of picograve.figures that are no plain numbers
    "move": MOVE,
    "scale": Whole(1, COUNT),
    "weight": Whole(0, COUNT),
    "bytes": BYTES,
    "tree_hash": Text(16),
    "choices": Maybe(Named(50, NUMBER)),
    "depth": Maybe(NUMBER),
    "microseconds": MICROSECONDS,
    **HEAP,
}
# Of any version: what it takes to refuse another one.
GREETING: dict[str, Kind] = dict(nonce=NUMBER, protocol=NUMBER, version=NAME)
ANSWERS: dict[str, dict[str, Kind]] = {
    "hello": dict(
        GREETING,
        stamp=NAME,
        system=NAME,
        machine=NAME,
        bits=Whole(16, 64),
        mhz=Maybe(Whole(1, 10000)),
        boot_used=Maybe(BYTES),
        boot_free=Maybe(BYTES),
        boot_largest=Maybe(BYTES),
        refusal=Maybe(Text()),
    ),
    "ping": dict(thinking=Truth()),
    "clear": {},
    "setup": dict(
        bytes=BYTES, nodes_top=NUMBER, nodes_second=NUMBER, playouts=NUMBER, **HEAP
    ),
    "new": PLY,
    "play": PLY,
    "search": PROGRESS,
    "status": PROGRESS,
    "look": dict(
        PROGRESS,
        look=Maybe(NUMBER),
        microseconds=Maybe(MICROSECONDS),
        aside=Maybe(MICROSECONDS),
        cells=Maybe(Text(MOST_CELLS)),
    ),
    "stop": PROGRESS,
    "result": {name: FIGURE.get(name, NUMBER) for name in FIGURES + MEASURED},
    "root": dict(
        scale=Whole(1, COUNT), moves=Rows(MOST_MOVES, (MOVE, NUMBER, NUMBER))
    ),
    "sample": dict(microseconds=MICROSECONDS),
}  # fmt: skip
REFUSAL: dict[str, Kind] = dict(error=Text(1000), code=Maybe(NAME))
