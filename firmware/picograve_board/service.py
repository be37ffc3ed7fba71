"""The service: answers a host's lines, and thinks in slices between them.

Frames are in picograve.frames, the requests and answers in PROTOCOL.md. One rule carries
the whole: the host speaks, the board answers each line with one line. A line with the
number of the one before is answered as before and changes nothing, so the host may repeat
what it likes. Whatever arrives is compared with names in a table, never evaluated.

A search runs with the heap locked (an allocation would raise MemoryError) for about
SLICE_US at a time. When the board starts it sets up what the build has laid down: the clock, then
the large buffers, while the heap is whole.
"""

import gc
import sys
import time

from picograve import Budget, Config, __version__, load, open_search
from picograve.errors import BadInput
from picograve.figures import FIGURES, MEASURED
from picograve.frames import PROTOCOL, TO_BOARD, TO_HOST, Lines, Message, cut, decode, encode

from picograve_board import heap
from picograve_board.console import CTRL_C, Console

try:
    from picograve_board.built import SETTING, STAMP  # written by the build
except ImportError:
    SETTING, STAMP = None, "source"

SLICE_US = 30000  # microseconds of thinking between two looks at the line
IDLE_MS = 1000

if sys.implementation.name == "micropython":
    from micropython import heap_lock, heap_unlock

    ticks_us, ticks_diff = time.ticks_us, time.ticks_diff
else:

    def heap_lock():
        pass

    heap_unlock = heap_lock

    def ticks_us():
        return time.perf_counter_ns() // 1000

    def ticks_diff(later, earlier):
        return later - earlier


class Lost(Exception):
    """The host and the board disagree about where they are; the host must begin again."""


def run_locked(searcher, playouts):
    """Playouts that allocate nothing; returns how many were made."""
    heap_lock()
    try:
        return searcher.run(playouts)
    finally:
        heap_unlock()


class Service:
    """What the requests do. A method of REQUESTS takes a request and returns its answer."""

    def __init__(self, mhz=None):
        self.mhz = mhz  # the chip's clock, if it has one
        self.searcher = None
        self.session = None  # the host's name for what it set up
        self.thinking = False
        self.fault = None  # what ended the search before its time
        self.refusal = None  # why the default could not be set up
        self.boot_heap = heap.figures()

    def boot(self):
        """Set up what the build has laid down."""
        try:
            if SETTING:
                self._allocate(SETTING)
        except BadInput as error:
            self.refusal = str(error)

    def answer(self, request):
        try:
            handler = REQUESTS.get(request.get("do"))
            if handler is None:
                raise BadInput("no request called %s" % request.get("do"))
            return handler(self, request)
        except Lost as error:
            return {"error": str(error), "code": "lost"}
        except BadInput as error:
            return {"error": str(error)}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return {"error": "bad request: %s" % repr(error)}
        except MemoryError:
            return {"error": "out of memory"}

    def hello(self, request):
        used, free, largest = self.boot_heap
        system = sys.implementation
        return {
            "nonce": request["nonce"],
            "protocol": PROTOCOL,
            "version": __version__,
            "stamp": STAMP,
            "system": "%s %s" % (system.name, ".".join(str(n) for n in system.version[:3])),
            "machine": getattr(system, "_machine", sys.platform),
            "bits": 64 if sys.maxsize > 2**32 else 32,
            "mhz": self.mhz,
            "boot_used": used,
            "boot_free": free,
            "boot_largest": largest,
            "refusal": self.refusal,
        }

    def ping(self, request):
        return {"thinking": self.thinking}

    def clear(self, request=None):
        """Give everything back, so that the next setup finds the heap in one piece."""
        self.searcher = self.session = None
        self.thinking = False
        gc.collect()
        return {}

    def setup(self, request):
        self._allocate(request)
        self.session = request["session"]
        self.thinking = False
        self.searcher.new_game()
        ledger = self.searcher.ledger
        used, free, largest = heap.figures()
        return {
            "bytes": ledger.total_bytes,
            "nodes_top": ledger.nodes_top,
            "nodes_second": ledger.nodes_second,
            "playouts": ledger.playouts,
            "heap_used": used,
            "heap_free": free,
            "heap_largest": largest,
        }

    def _allocate(self, setting):
        """The whole budget at once, the old one given back before."""
        self.searcher = self.session = None
        nodes, size = self._size(setting)
        gc.collect()  # so that the large buffers find the heap whole
        budget = Budget(nodes=nodes or None, tables=setting.get("budget", {}).get("tables"))
        try:
            self.searcher = open_search(*self._game_and_config(setting), budget)
            if not heap.has_room():
                self.searcher = None
                raise MemoryError
        except MemoryError:
            _, free, largest = heap.figures()  # as before: nothing of it is held any more
            raise BadInput(
                "%d bytes do not fit: the heap has %s free, %s in one piece" % (size, free, largest)
            ) from None

    def _size(self, setting):
        """(nodes, bytes) of a setting. Numbers only: a ledger that lived on might lie in the
        middle of the free heap."""
        ledger = Budget(**setting.get("budget", {})).ledger(*self._game_and_config(setting))
        return ledger.nodes, ledger.total_bytes

    def _game_and_config(self, setting):
        game = load(setting["game"], **setting.get("options", {}))
        return game, Config(setting["search"], **setting.get("config", {}))

    def _check(self, request):
        if request["of"] != self.session or self.session is None:
            raise Lost("not set up for this session")
        if request.get("ply", len(self.searcher.history)) != len(self.searcher.history):
            raise Lost("the board is at move %d" % len(self.searcher.history))

    def new(self, request):
        self._check(request)
        self.thinking = False
        self.searcher.seed = request["seed"]
        self.searcher.new_game()
        return {"ply": 0}

    def play(self, request):
        self._check(request)
        self.thinking = False
        self.searcher.play(request["move"])
        return {"ply": len(self.searcher.history)}

    def search(self, request):
        self._check(request)
        self.searcher.start()
        self.thinking = True
        self.fault = None
        self.most = request.get("playouts") or self.searcher.ledger.playouts
        self.microseconds = (request.get("ms") or 0) * 1000
        self.slice = 1
        self.made = 0
        self.spent = 0
        return self.status(request)

    def think(self):
        """One slice of the search."""
        began = ticks_us()
        try:
            made = run_locked(self.searcher, min(self.slice, self.most - self.made))
        except MemoryError:
            made = 0
            self.fault = "the search wanted heap, which it must not: report this"
        spent = ticks_diff(ticks_us(), began)
        self.made += made
        self.spent += spent
        if spent < SLICE_US // 2:
            self.slice *= 2
        elif spent > SLICE_US and self.slice > 1:
            self.slice //= 2
        late = self.microseconds and self.spent >= self.microseconds
        if made == 0 or self.made >= self.most or late:
            self.thinking = False

    def status(self, request):
        self._check(request)
        if self.fault:
            raise BadInput(self.fault)
        return {"thinking": self.thinking, "playouts": self.made}

    def stop(self, request):
        self._check(request)
        self.thinking = False
        return {"thinking": False, "playouts": self.made}

    def result(self, request):
        self._check(request)
        figures = self.searcher.result()[2:]  # all but its value and the visits
        return dict(zip(FIGURES + MEASURED, figures + (self.spent,) + heap.figures()))

    def root(self, request):
        """The root's moves with visits and points, most visited first."""
        self._check(request)
        text = self.searcher.game.text
        moves = self.searcher._root_moves()[: request.get("most")]
        return {
            "scale": self.searcher.scale,
            "moves": [[text(move), visits, points] for move, visits, points in moves],
        }

    def sample(self, request):
        """Playouts without a tree, for benchmarks."""
        self._check(request)
        began = ticks_us()
        self.searcher.sample(request["playouts"])
        return {"microseconds": ticks_diff(ticks_us(), began)}


REQUESTS = {
    "hello": Service.hello,
    "ping": Service.ping,
    "clear": Service.clear,
    "setup": Service.setup,
    "new": Service.new,
    "play": Service.play,
    "search": Service.search,
    "status": Service.status,
    "stop": Service.stop,
    "result": Service.result,
    "root": Service.root,
    "sample": Service.sample,
}


class Talk:
    """Lines in, lines out: puts requests together, hands answers out in parts."""

    def __init__(self, answer, make_room):
        self._answer = answer  # from a request to its answer, both dicts
        self._make_room = make_room  # called when there is no memory left to answer
        self._message = Message()
        self._parts = []
        self._number = None
        self._frame = None

    def reply(self, line):
        frame = decode(TO_BOARD, line)
        if frame is None:
            return encode(TO_HOST, b"X", 0)
        kind, number, payload = frame
        if number != self._number:
            self._number = number
            try:
                kind, payload = self._next(kind, payload)
            except MemoryError:
                self._make_room()
                self._parts = cut({"error": "out of memory", "code": "lost"})
                kind, payload = self._parts.pop(0)
            self._frame = encode(TO_HOST, kind, number, payload)
        return self._frame

    def _next(self, kind, payload):
        """Kind and payload of the answer to a new frame."""
        if kind in (b"S", b"F"):
            gc.collect()  # what is allocated now finds room low in the heap, and leaves it whole
        if kind != b"N":
            if not self._message.add(kind, payload):
                self._parts = cut({"error": "a part is missing", "code": "lost"})
            elif kind in (b"F", b"M"):
                return b"M", b""  # heard; go on
            else:
                try:
                    self._parts = cut(self._answer(self._message.value()))
                except ValueError:
                    self._parts = cut({"error": "not a JSON object"})
        elif not self._parts:
            self._parts = cut({"error": "no answer is waiting", "code": "lost"})
        return self._parts.pop(0)


def serve(console, service):
    """Answer lines until Ctrl-C at the start of one."""
    lines = Lines()
    talk = Talk(service.answer, service.clear)
    service.boot()  # after all that stays: what comes later would cut the heap in two
    while True:
        byte = console.byte(0 if service.thinking else IDLE_MS)
        if byte is None:
            if service.thinking:
                service.think()
        elif byte == CTRL_C and lines.is_fresh():
            return
        else:
            line = lines.add(byte)
            if line:
                console.write(talk.reply(line))


def main():
    from picograve_board import clock

    mhz = clock.start(SETTING and SETTING["mhz"])
    del clock, sys.modules["picograve_board"].clock, sys.modules["picograve_board.clock"]
    console = Console()
    try:
        serve(console, Service(mhz))
    except EOFError:
        pass
    finally:
        console.close()
