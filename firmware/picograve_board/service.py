"""The service: answers a host's lines, and thinks in slices between them.

Frames are in picograve.frames, the requests and answers in PROTOCOL.md. One rule carries
the whole: the host speaks, the board answers each line with one line. A line with the
number of the one before is answered as before and changes nothing, so the host may repeat
what it likes. Whatever arrives is compared with names in a table, never evaluated. Whatever a
well-framed line holds is answered or refused: an error that nobody foresaw is answered, too, and
the search given back. Only Ctrl-C ends the service.

A search runs with the heap locked (an allocation would raise MemoryError) for about
SLICE_US at a time. When the board starts it sets up what the build has laid down: the clock, then
the large buffers, while the heap is whole.
"""

import gc
import sys
import time
from binascii import b2a_base64

from picograve import Budget, Config, __version__, load, open_search
from picograve.errors import BadInput
from picograve.figures import FIGURES, MEASURED
from picograve.frames import PROTOCOL, TO_BOARD, TO_HOST, Lines, Message, cut, decode, encode
from picograve.mcts.parts import module

from picograve_board import heap
from picograve_board.console import CTRL_C, Console

try:
    from picograve_board.built import SETTING, STAMP  # written by the build
except ImportError:
    SETTING, STAMP = None, "source"

SLICE_US = 30000  # microseconds of thinking between two looks at the line
IDLE_MS = 1000
MOST_SHOWN = 256  # nodes of the pool that can be watched: 1 kB here, at most 12 frames a look
SHARE = 50  # watching may take 1 part in so many of a search's time
FIRST_PRICE_US = 4000  # so a first look comes after 0.2 s, and shows what a look takes
MOST_SAMPLE = 1000  # playouts in one answer: the host waits for it
MOST_NUMBER = 2**30 - 1  # that a chip holds without its heap: playouts, milliseconds, seeds

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


def number(request, name, least, most=MOST_NUMBER):
    """A whole number of a request."""
    value = request.get(name)
    if type(value) is not int or not least <= value <= most:
        raise BadInput("%s is %d to %d, not %s" % (name, least, most, value))
    return value


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
        self.looker = None  # at its pool, if somebody watches
        self.session = None  # the host's name for what it set up
        self.thinking = False
        self.watched = False  # whether what happens now is for somebody who watches a search
        self.price = FIRST_PRICE_US  # microseconds that the last look has taken
        self.made = None  # playouts of the last search of this position
        self.spent = self.aside = self.shown = 0  # see search()
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
        self.watched = False
        try:
            handler = REQUESTS.get(request.get("do"))
            if handler is None:
                raise BadInput("no request called %s" % request.get("do"))
            return handler(self, request)
        except Lost as error:
            return {"error": str(error), "code": "lost"}
        except BadInput as error:
            return {"error": str(error)}
        except MemoryError:
            return {"error": "out of memory"}
        except Exception as error:
            self.clear()  # it may have been half done
            return {"error": "bad request: %s" % repr(error)}

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
        self.searcher = self.looker = self.session = self.made = self.fault = None
        self.thinking = False
        gc.collect()
        return {}

    def setup(self, request):
        self.clear()
        session = request["session"]
        self._allocate(request)
        self.session = session
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
        self.searcher = self.looker = self.session = None
        nodes, size = self._size(setting)
        gc.collect()  # so that the large buffers find the heap whole
        budget = Budget(nodes=nodes or None, tables=setting.get("budget", {}).get("tables"))
        try:
            pool = module("picograve.mcts.pool") if setting.get("pool") else None  # lies low, too
            self.searcher = open_search(*self._game_and_config(setting), budget)
            if pool:
                self.looker = pool.Looker(self.searcher, MOST_SHOWN)
            if not heap.has_room():
                raise MemoryError
        except MemoryError:
            self.searcher = self.looker = None
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
        seed = number(request, "seed", 0)
        self.thinking = False
        self.made = None
        self.searcher.seed = seed
        self.searcher.new_game()
        return {"ply": 0}

    def play(self, request):
        self._check(request)
        self.thinking = False
        self.made = None
        self.searcher.play(request["move"])
        return {"ply": len(self.searcher.history)}

    def search(self, request):
        self._check(request)
        most, ms = self.searcher.ledger.playouts, 0
        if request.get("playouts") is not None:
            most = number(request, "playouts", 0) or most
        if request.get("ms") is not None:
            ms = number(request, "ms", 0)
        self.searcher.start()
        self.thinking = True
        self.fault = None
        self.most = most
        self.microseconds = ms * 1000
        self.slice = 1
        self.made = 0
        self.spent = self.aside = 0  # microseconds: of thinking, of showing it
        self.shown = 0  # `aside` when the last look began
        self.ended = ticks_us()
        return self.status(request)

    def think(self):
        """One slice of the search."""
        began = ticks_us()
        if self.watched:
            self.aside += ticks_diff(began, self.ended)
            self.price = self.aside - self.shown
        try:
            made = run_locked(self.searcher, min(self.slice, self.most - self.made))
        except MemoryError:
            made = 0
            self.fault = "the search wanted heap, which it must not: report this"
        except Exception as error:
            made = 0
            self.fault = "the search broke: %s" % repr(error)
        self.ended = ticks_us()
        spent = ticks_diff(self.ended, began)
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
        self._check_searched()
        return {"thinking": self.thinking, "playouts": self.made}

    def look(self, request):
        """The status; and what has changed in the pool since look number `seen`, unless one more
        look like the last would take more than its share of the time."""
        self._check(request)
        if self.made is not None:
            self._check_searched()
        answer = {"thinking": self.thinking, "playouts": self.made or 0}
        if not self.thinking or SHARE * (self.aside + self.price) <= self.spent:
            self.watched = True  # until the next request: handing the answer out counts, too
            self.shown = self.aside
            changes = b2a_base64(self.looker.changes(request["seen"]))
            answer["look"] = self.looker.count
            answer["microseconds"] = self.spent
            answer["aside"] = self.aside
            answer["cells"] = changes.decode().strip()
        return answer

    def stop(self, request):
        self._check(request)
        self.thinking = False
        return self.status(request)

    def _check_searched(self):
        if self.made is None:
            raise BadInput("this position has not been searched")
        if self.fault:
            fault = self.fault
            self.clear()  # who knows what it left behind
            raise BadInput(fault)

    def result(self, request):
        self._check(request)
        self._check_searched()
        figures = self.searcher.result()[2:]  # all but its value and the visits
        return dict(zip(FIGURES + MEASURED, figures + (self.spent,) + heap.figures()))

    def root(self, request):
        """The root's moves with visits and points, most visited first."""
        self._check(request)
        self.watched = True
        self._check_searched()
        text = self.searcher.game.text
        moves = self.searcher._root_moves()
        if request.get("most") is not None:
            moves = moves[: number(request, "most", 0)]
        return {
            "scale": self.searcher.scale,
            "moves": [[text(move), visits, points] for move, visits, points in moves],
        }

    def sample(self, request):
        """Playouts without a tree, for benchmarks."""
        self._check(request)
        playouts = number(request, "playouts", 1, MOST_SAMPLE)
        self.thinking = False  # it plays in the same buffers
        self.made = None
        began = ticks_us()
        self.searcher.sample(playouts)
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
    "look": Service.look,
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
            except Exception as error:  # no memory for an answer; one that is nested too deep
                self._make_room()
                words = "out of memory" if isinstance(error, MemoryError) else "no words for it"
                self._parts = cut({"error": words, "code": "lost"})
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
