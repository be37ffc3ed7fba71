"""What code and small objects take of a board's heap: the [ram] tables in boards/*.toml.

    python -m picograve_tools.measure_ram sim sim64 pico-emulated pico-frozen
    python -m picograve_tools.measure_ram pico      on a board that is plugged in

measures and writes the tables of these boards; picograve_host.boards.ram says what is in them
and emulates the heap with them. Run it when the code on the chip has changed.

First it asks MicroPython's prompt, the service being ended: for the blocks of the heap, and after
each import for what is free, which pieces are new, and which names the module has. What only
kernels import is not among them where kernels are C. Then it asks the service, started again, for
one search of each kind: what is free before and with it, less its buffers, is what its small
objects take. What is free without a search is said in a refusal: the board is asked for more than
any chip has.
"""

import importlib
import json
import re
import sys
import time
from graphlib import TopologicalSorter
from types import ModuleType

import serial
from picograve import Budget, Config, load
from picograve.errors import BadInput, RunFailed
from picograve.kernel import ITEM_BYTES
from picograve_host.boards import descriptions, registry
from picograve_host.boards.link import BoardRefuses, Link
from picograve_host.boards.ram import PARTS, searcher_of
from picograve_tools import mpy
from picograve_tools.cache import say_on_stderr

SMALL = 256  # bytes: free pieces below this are not listed
PATIENCE = 600  # seconds until the prompt counts as missing; an emulated one is slow
BOOTED = ("go9", "graver2", "uniform")  # what a board sets up when it boots (boards/install.py)
SEARCHES = (
    ("hex11", "graver2", "uniform+mast+E"),  # more policies than most, fewer than some
    ("ttt3", "policy", "uniform"),
    ("othello", "alphabeta", "uniform"),
    ("ttt3", "sarsa", "uniform"),
)
NODES = 20
TOO_MANY_NODES = 65534
MOST_SPARE = 640  # names: MicroPython's tables have room for 20, 40, ... 640, and no code has more
QSTR_INFO = r"qstr pool: n_pool=\d+, n_qstr=(\d+), n_str_data_bytes=(\d+), n_total_bytes=(\d+)"
HEADING = "# Measured: python -m picograve_tools.measure_ram"


def measure(name):
    """The [ram] table of a board."""
    with registry.OpenBoard(name, say_on_stderr) as opened:
        hello = opened.link.hello
        block = 16 if hello["bits"] == 32 else 32
        free, largest = _free(opened.link)
        opened.link.close()
        with Prompt(opened.port) as prompt:
            pieces = [block * count for count in prompt.free_blocks()]
            names = prompt.fill_names()  # first: then no module makes their table grow
            code = _measure_code(prompt, block)
        opened.link = Link(opened.port, opened.board["serial"])  # starts the service again
        return dict(
            total=hello["boot_used"] + hello["boot_free"],
            free=free,
            # The prompt itself takes some of the largest.
            pieces=[size for size in pieces if SMALL <= size < max(pieces)] + [largest],
            block=block,
            names=names,
            code=code,
            objects=_measure_objects(opened.link, block),
        )


class Prompt:
    """MicroPython's, at a port whose service it ends."""

    def __init__(self, port):
        self._line = serial.Serial(port, exclusive=True, timeout=0.2)
        self._line.write(b"\r\n\x03")
        time.sleep(1)
        self._line.write(b"\r\x02")
        self.ask("import gc, micropython, sys")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._line.close()

    def ask(self, text):
        """What is printed when a line of Python is run."""
        end = "print('e' 'nd')"  # which is not what the echo shows
        self._line.write(("%s\r\r%s\r" % (text, end)).encode())
        deadline = time.monotonic() + PATIENCE
        answer = ""
        while not re.search(r"\nend\r?\n", answer):
            if time.monotonic() > deadline or "Traceback" in answer:
                raise RunFailed("MicroPython's prompt says %r" % answer[-200:])
            answer += self._line.read(4096).decode("ascii", "replace")
        return answer

    def free_blocks(self):
        """The lengths of the free pieces, in blocks."""
        blocks = _blocks(self.ask("gc.collect(); micropython.mem_info(1)"))
        return [len(piece) for piece in re.findall(r"\.+", blocks)]

    def fill_names(self):
        """Bring new names until their table grows: how many there was room for, and the bytes."""
        # One by one: a line that nobody reads in time drops what does not fit.
        before = self._names("micropython.qstr_info()")
        for spare in range(MOST_SPARE):
            now = self._names("hasattr(gc, 'name%d'); micropython.qstr_info()" % spare)
            if now > before:
                return dict(spare=spare, growth=now - before)
        raise RunFailed("the table of names has room for more than %d" % MOST_SPARE)

    def _names(self, text):
        """The bytes of the table of names, without their text, when a line has been run."""
        _, letters, total = map(int, re.search(QSTR_INFO, self.ask(text)).groups())
        return total - letters

    def load(self, modules):
        """Load one after the other. Of each: its name, whether it was there before, bytes free
        after, names known (qstrs), the bytes of their text, and these with the table of names; the
        names that it has; the blocks of the heap."""
        # In one line: the prompt remembers every line, which takes heap.
        text = self.ask(
            "for m in '%s'.split(): had = m in sys.modules; __import__(m); gc.collect(); "
            "print('loaded', m, int(had), gc.mem_free()); micropython.qstr_info(); "
            "micropython.mem_info(1); print(dir(sys.modules[m]))" % " ".join(modules)
        )
        found = re.findall(
            r"\nloaded (\S+) (\d) (\d+)\s+" + QSTR_INFO + r"([^[]+)\[([^]]+)\]",
            text,
        )
        if [module for module, *_ in found] != modules:
            raise RunFailed("some of the prompt's words were lost: measure on a quiet machine")
        for module, *figures, blocks, names in found:
            yield module, *map(int, figures), re.findall(r"\w+", names), _blocks(blocks)


def _blocks(text):
    """The blocks that mem_info shows: `.` is a free one, `=` goes on with what is before it."""
    blocks = ""
    for lines, row in re.findall(r"\((\d+) lines all free\)|^[0-9a-f]{8}: (\S+)", text, re.M):
        blocks += "." * 64 * int(lines) if lines else row
    return blocks


def _largest_new(before, after):
    """The blocks of the largest piece that begins where nothing was before. What has grown in its
    place, as the text of names does, is none."""
    found = re.finditer(r"[^.=]=*", after)
    return max(len(piece[0]) for piece in found if before[piece.start()] == ".")


def _measure_code(prompt, block):
    """What each module takes that is loaded later than at boot."""
    code = {}
    before = None
    for module, had, free, names, _, _, named, blocks in prompt.load(["picograve", *_parts()]):
        if before and not had:
            size = before[0] - free
            code[module] = dict(
                bytes=size,
                largest=min(size, block * _largest_new(before[2], blocks)),
                names=names - before[1],
                imports=sorted({m for name, m in _imported_by(module) if name in named}),
            )
        before = free, names, blocks
    return code


def _parts():
    """The modules of PARTS, each after those that it imports. A name that several modules have
    counts for the first: those that most searches want come first."""
    files = [name.removesuffix(".py").replace("/", ".") for _, name in mpy.core()]
    for part in PARTS:
        modules = [name for name in files if name.startswith(part) and "__" not in name]
        for module in modules:
            importlib.import_module(module)
        imports = {name: {m for _, m in _imported_by(name)} & set(modules) for name in modules}
        yield from TopologicalSorter(imports).static_order()


def _imported_by(module):
    """(name, part) of the parts that a module has imported, or imported something from."""
    for name, value in vars(sys.modules[module]).items():
        part = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
        if part != module and (part or "").startswith(PARTS):
            yield name, part


def _measure_objects(link, block):
    """{module of a Searcher: bytes}."""
    objects = {}
    for game, search, policy in SEARCHES:
        nodes = None if search == "policy" else NODES
        with_search = [_set_up(link, game, search, policy, nodes) for _ in range(2)][1]
        ledger = Budget(nodes=nodes).ledger(
            load(game), Config.tolerant(search, playout_policy=policy)
        )
        sizes = [count * ITEM_BYTES[kind] for _, kind, count in ledger.rows]
        buffers = sum(block + -(-size // block) * block for size in sizes)  # an array has a block
        objects[searcher_of(Config(search)).__module__] = _free(link)[0] - with_search - buffers
    return objects


def _free(link):
    """Bytes that are free without a search, and in one piece."""
    try:
        _set_up(link, *BOOTED, TOO_MANY_NODES)
    except BoardRefuses as refusal:
        words = re.search(r"the heap has (\d+) free, (\d+) in one piece", str(refusal))
        return int(words.group(1)), int(words.group(2))
    raise RunFailed("the board takes %d nodes: it has more RAM than we emulate" % TOO_MANY_NODES)


def _set_up(link, game, search, policy, nodes):
    """Bytes that are free with a search."""
    link.request("clear")
    answer = link.request(
        "setup",
        session="0000",
        game=game,
        search=search,
        config=dict(playout_policy=policy),
        budget=dict(nodes=nodes) if nodes else {},
    )
    return answer["heap_free"]


def write(name, table):
    """Put the table at the end of the board's file, in place of the one before."""
    path = descriptions.FOLDER / (name + ".toml")
    text = path.read_text().partition(HEADING)[0]
    lines = ["%s %s" % (HEADING, name), "[ram]"]
    lines += ["%s = %s" % (key, table[key]) for key in ("total", "free", "pieces", "block")]
    for part in ("names", "code", "objects"):
        lines += ["", "[ram.%s]" % part]
        rows = sorted(table[part].items())
        lines += ["%s = %s" % (_key(key), _toml(value)) for key, value in rows]
    path.write_text("%s\n\n%s\n" % (text.rstrip(), "\n".join(lines)))


def _key(text):
    return '"%s"' % text if "." in text else text


def _toml(value):
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s = %s" % (key, _toml(field)) for key, field in value.items())
    return json.dumps(value)


if __name__ == "__main__":
    try:
        for board in sys.argv[1:]:
            write(board, measure(board))
    except (BadInput, RunFailed) as error:
        say_on_stderr("picograve: %s" % error)
        sys.exit(2 if isinstance(error, BadInput) else 1)
