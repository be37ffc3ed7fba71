"""What watching costs: `picograve bench --watching`.

On this desktop: the page's server with and without a page, in turns, and the best round of each
counts. A page is a WebSocket that reads all it is sent, in a process of its own. What is divided is
playouts by the CPU time of the whole server, so that nothing of what a page costs is left out, and
what else runs on this machine does not count.

On a board: by its own clock, which an emulated chip has in cycles: the part of a search's time that
was not spent on showing it. The board counts that itself (picograve_board.service).

What may be changed: the constants below; TARGETS are those the project holds itself to.
"""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from picograve import RUNTIME
from picograve.errors import RunFailed
from picograve_tools.cache import package
from picograve_tools.console import progress

from picograve_host.bench.desktop import machine
from picograve_host.play import guard
from picograve_host.play.choices import Choices
from picograve_host.play.room import Room
from picograve_host.play.server import Server

# The search moves first: `new` thinks of one move.
SEARCH = dict(search="graver", preset="strong", bytes=64000, side="second")
PLAYOUTS = {"numba": 60000, "c": 60000, "cpython": 600}
BOARD_PLAYOUTS = 4000
TARGET, BOARD_TARGET = 0.97, 0.95
PAGE = """
import sys
from websockets.sync.client import connect
url, origin = sys.argv[1:]
with connect(url, origin=origin, max_size=None) as page:
    for number, _ in enumerate(page):
        if number == 0:
            print(flush=True)
"""


def run(rounds: int, game: str, boards: list[str]) -> dict[str, Any]:
    """Measure this desktop, and boards by name; the report as --json prints it."""
    rows = [_desktop(rounds, game), *(_board(game, name) for name in boards)]
    progress("")
    return dict(machine=machine(), game=game, rows=rows)


def _desktop(rounds, game):
    wish = dict(SEARCH, game=game, playouts=PLAYOUTS[RUNTIME])
    best = {False: 0.0, True: 0.0}
    with _Served(wish) as served:
        for number in range(rounds):
            for watched in best:
                progress("round %d of %d, %s" % (number + 1, rounds, "page" if watched else "none"))
                page = served.open_page() if watched else None
                best[watched] = max(best[watched], served.rate(dict(wish, seed=number)))
                if page:
                    page.terminate()
                    page.wait()
                    served.wait_for_pages(0)
    ratio = best[True] / best[False]
    return dict(where=RUNTIME, ratio=round(ratio, 3), target=TARGET)


class _Served:
    """The page's server in a thread of this process."""

    def __init__(self, wish: dict[str, Any]) -> None:
        uvicorn = package("uvicorn", "play")
        listening = socket.create_server(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % listening.getsockname()[1]
        self._server = Server(guard.Guard(*listening.getsockname()), dict(wish, playouts=1))
        self._url = "ws://%s/%s/ws" % (address, self._server.guard.token)
        self._origin = "http://" + address
        config = uvicorn.Config(self._server.app, log_level="warning", ws="websockets-sansio")
        self._uvicorn = uvicorn.Server(config)
        serve = self._uvicorn.serve(sockets=[listening])
        self._thread = threading.Thread(target=asyncio.run, args=(serve,))

    def __enter__(self) -> "_Served":
        self._thread.start()
        while "offer" not in self._server._last:
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self._uvicorn.should_exit = True
        self._thread.join()

    def open_page(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", PAGE, self._url, self._origin]
        page: Any = subprocess.Popen(command, stdout=subprocess.PIPE)
        page.stdout.readline()
        self.wait_for_pages(1)
        return page

    def wait_for_pages(self, count: int) -> None:
        while len(self._server._pages) != count:
            time.sleep(0.01)

    def rate(self, wish: dict[str, Any]) -> float:
        """Playouts by CPU seconds of one move."""
        room: Any = self._server._room
        began = time.process_time()
        room.announce("new")
        self._server._worker.submit(room.handle, dict(wish, do="new")).result()
        return room.moves[0]["thought"]["playouts"] / (time.process_time() - began)


def _board(game, name):
    progress("%s: a move that is watched" % name)
    choices = Choices(game)
    choices.boards.append((name, name))
    looks = []
    room = Room(choices, lambda kind, _: looks.append(kind) if kind == "live" else None)
    room.announce("new")
    room.handle(dict(SEARCH, do="new", game=game, opponent=name, playouts=BOARD_PLAYOUTS))
    try:
        seen = room.player.pool()
        if seen is None:
            raise RunFailed("%s has no pool to watch" % name)
        ratio = seen.microseconds / (seen.microseconds + seen.aside)
        return dict(where=room.player.where, ratio=round(ratio, 4), target=BOARD_TARGET,
                    looks=len(looks), seconds=seen.microseconds / 1e6)  # fmt: skip
    finally:
        room.close()


def text(report: dict[str, Any]) -> str:
    lines = [
        "%s on %s: playouts watched / not watched" % (report["game"], report["machine"]["cpu"])
    ]
    for row in report["rows"]:
        line = "%s: %.4g (at least %g)" % (row["where"], row["ratio"], row["target"])
        if "looks" in row:
            line += ", %d looks in %.1f s of its clock" % (row["looks"], row["seconds"])
        lines.append(line)
    return "\n".join(lines)
