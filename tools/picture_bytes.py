"""Draws the README's picture: what each search takes on Go 9x9, beside what chips have.

    python tools/picture_bytes.py > tools/bytes.svg

Every length comes from the ledger at the paper's sizes (picograve.mcts.select.SELECT).
"""

from math import log10

from picograve import SEARCHES, Budget, Config, load

CHIPS = (("RP2040 (Pico)", 264 * 1024), ("RP2350 (Pico 2)", 520 * 1024))  # SRAM, data sheets
WIDTH, LEFT, RIGHT, TOP, ROW = 800, 90, 580, 44, 26  # pixels
LOWEST, HIGHEST = 4, 7  # powers of ten of bytes
STYLE = (
    "text{font:13px sans-serif;fill:#24292f;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".dim{fill:#57606a}.chip{stroke:#cf222e;stroke-dasharray:4 3}"
    ".chiptext{fill:#cf222e;font-size:12px}.grave{fill:#2da44e}.uct{fill:#8250df}.back{fill:#fff}"
)


def x_of(count):
    return LEFT + (RIGHT - LEFT) * (log10(count) - LOWEST) / (HIGHEST - LOWEST)


def picture():
    height = TOP + ROW * len(SEARCHES) + 30
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">' % (WIDTH, height)
    yield "<style>%s</style>" % STYLE
    yield '<rect class="back" width="%d" height="%d"/>' % (WIDTH, height)
    for name, count in CHIPS:
        x = x_of(count)
        yield '<line class="chip" x1="%.0f" x2="%.0f" y1="30" y2="%d"/>' % (x, x, height - 28)
        anchor = "end" if count == CHIPS[0][1] else "start"
        yield text(x, 20, name, anchor, "chiptext")
    for row, name in enumerate(SEARCHES):
        yield from bar(TOP + ROW * row, name, Budget().ledger(load("go9"), Config(name, "paper")))
    for power, label in enumerate(("10 kB", "100 kB", "1 MB", "10 MB"), LOWEST):
        yield text(x_of(10**power), height - 10, label, "middle", "dim")
    yield "</svg>"


def bar(y, name, ledger):
    end = x_of(ledger.total_bytes)
    yield text(LEFT - 8, y + 14, name.upper(), "end")
    policy = "grave" if ledger.amaf_tables else "uct"
    size = (policy, LEFT, y, end - LEFT)
    yield '<rect class="%s" x="%d" y="%d" width="%.0f" height="18"/>' % size
    yield text(end + 6, y + 14, f"{ledger.total_bytes:,} bytes, {ledger.nodes:,} nodes")


def text(x, y, content, anchor="start", kind=""):
    place = (kind, x, y, anchor, content)
    return '<text class="%s" x="%.0f" y="%d" text-anchor="%s">%s</text>' % place


if __name__ == "__main__":
    print("\n".join(picture()))
