"""HTTP and WebSocket: pages on one side, the room on the other.

    GET /TOKEN/...   the page's files
    WS  /TOKEN/ws    JSON objects, one for each message

From a page, all with `do`: new (game, opponent ... see choices.py), play (move; `at`, the game's
number and the moves played, if it is meant for no other position), undo, switch, resign, stop,
hint, flag, pause, go, step, look (ply), record (kind). To a page, each an object with one key:
offer, seat (whether it may move), state, live (a search under way), progress (how many playouts it
has made since), pool, hint, look, record, note, error; of the lab, report.

A page that reads slowly gets the latest of each kind and no more, so nothing piles up here. Pages
may come and go; the game stays. The room's one thread thinks, this one listens.
"""

import asyncio
import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from picograve import BadInput
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from picograve_host.play import guard
from picograve_host.play.choices import SIDES, Choices
from picograve_host.play.room import Room

if TYPE_CHECKING:
    from picograve_host.play.pairing import Pairing

FOLDER = files("picograve_host.play").joinpath("page")
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
TO_ALL = ("state", "live", "progress", "pool", "note", "report")  # the rest: for who asked
QUESTIONS = ("look", "record")  # change nothing, so that every page may ask, at any time


class Page:
    """One WebSocket: the latest of each kind that it has not got yet."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._waiting: dict[str, Any] = {}
        self._news = asyncio.Event()

    def put(self, kind: str, data: Any) -> None:
        _put_last(self._waiting, kind, data)
        self._news.set()

    async def send_all(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            for kind, data in waiting.items():
                await self.socket.send_text(json.dumps({kind: data}))


class Pages:
    """The pages that are open: who gets in, what they load, what they are told."""

    first_page = "index.html"

    def __init__(self, guard_: guard.Guard) -> None:
        self.guard = guard_
        self._pages: list[Page] = []  # the first of them holds the seat
        self._worker = ThreadPoolExecutor(1, "worker")
        self._asking: Page | None = None  # whose message the worker is about
        self._last: dict[str, Any] = {}  # what a page that comes later must know
        self.app = Starlette(
            routes=[
                WebSocketRoute("/{token}/ws", self._talk),
                Route("/{token}/{name:path}", self._file),
            ],
            lifespan=self._run,
        )

    @contextlib.asynccontextmanager
    async def _run(self, app):
        """From the first page to the last."""
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._serve())
        yield
        await self._end(serving)
        self._worker.shutdown()

    async def _serve(self):
        """What goes on while pages may come."""

    async def _end(self, serving):
        """No page is left; `serving` is the task of _serve."""

    def _hand_over(self, page, message):
        """A message of a page."""

    def _greet(self):
        """A page has come."""

    def _made(self, name: str) -> Response | None:
        """A file that is made here, or None."""
        return None

    async def _file(self, request: Request) -> Response:
        token, name = request.path_params["token"], request.path_params["name"] or self.first_page
        kind = KINDS.get(name.rpartition(".")[2])
        allowed = self.guard.knows(token) and self.guard.is_our_host(request.headers.get("host"))
        path = FOLDER.joinpath(name)
        if allowed and (made := self._made(name)):
            return made
        if not (allowed and kind and "/" not in name and path.is_file()):
            words = "not here: the address that picograve prints has a token in it\n"
            return PlainTextResponse(words, 404, guard.HEADERS)
        return Response(path.read_bytes(), headers=guard.HEADERS, media_type=kind)

    async def _talk(self, socket: WebSocket) -> None:
        headers = socket.headers
        ours = self.guard.is_our_page(headers.get("host"), headers.get("origin"))
        if not (ours and self.guard.knows(socket.path_params["token"])):
            await socket.close(guard.CLOSE_POLICY)  # before it is accepted: 403
            return
        if len(self._pages) >= guard.MOST_PAGES:
            await socket.close(guard.CLOSE_BUSY)
            return
        page = Page(socket)
        self._pages.append(page)  # before the first await: nobody slips in between
        await socket.accept()
        self._greet()
        for kind, data in self._last.items():
            page.put(kind, data)
        self._tell_seats()
        sending = asyncio.create_task(page.send_all())
        try:
            await self._listen(page)
        except (WebSocketDisconnect, RuntimeError):  # it has gone, perhaps in our middle of a word
            pass
        finally:
            self._pages.remove(page)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending
            self._tell_seats()

    async def _listen(self, page):
        allowance = guard.Allowance()
        while True:
            text = await page.socket.receive_text()
            if not allowance.take() or len(text) > guard.MOST_BYTES:
                await page.socket.close(guard.CLOSE_POLICY)
                return
            self._hand_over(page, _message(text))

    def _publish(self, kind, data):
        """From the worker."""
        self._loop.call_soon_threadsafe(self._spread, kind, data, self._asking)

    def _spread(self, kind, data, asking):
        if kind in (*TO_ALL, "offer"):
            _put_last(self._last, kind, data)
            for page in self._pages:
                page.put(kind, data)
        elif asking:
            asking.put(kind, data)

    def _tell_seats(self):
        for number, page in enumerate(self._pages):
            page.put("seat", number == 0)


class Server(Pages):
    """The pages of a game; `first` is the message that begins it. A match has `choices` of its own,
    and begins when somebody sees it."""

    def __init__(
        self, guard_: guard.Guard, first: dict[str, Any], choices: "Pairing | None" = None
    ) -> None:
        super().__init__(guard_)
        self._first = first
        self._match = choices
        self._is_seen = threading.Event()
        self._room: Room | None = None
        self._waiting = 0  # messages that the room has not done yet

    async def _serve(self):
        await self._loop.run_in_executor(self._worker, self._open)

    async def _end(self, serving):
        if self._room:
            self._room.announce("new")  # ends a search
        self._is_seen.set()
        await serving
        if self._room:
            await self._loop.run_in_executor(self._worker, self._room.close)

    def _greet(self):
        self._is_seen.set()

    def _open(self):
        """On the worker, while the page loads: the first import of a game takes a while."""
        choices: Any = self._match or Choices(self._first["game"])
        room = Room(choices, self._publish, lambda: bool(self._pages))
        room.announce("new")
        self._room = room  # first: a page that sees the game may click at once
        begins_at_once = not self._match and self._awaits_a_click()
        if not begins_at_once:
            self._offer(choices)
        if self._match:
            self._is_seen.wait()
        room.handle(dict(self._first, do="new"))
        if begins_at_once:
            self._offer(choices)

    def _awaits_a_click(self):
        """Whether the first game needs no board, and no search before the person moves: else the
        offer would come after them, and no other game could be chosen meanwhile."""
        return "opponent" not in self._first and 0 in SIDES[self._first.get("side", "first")]

    def _offer(self, choices):
        choices.find_all()
        self._publish("offer", choices.offer())

    def _hand_over(self, page, message):
        do = message.get("do")
        room = self._room
        if room is None:
            page.put("error", "the games are still being loaded")
        elif not isinstance(do, str):
            page.put("error", "a message is an object that says what to do")
        elif do in QUESTIONS:
            self._answer(page, room, message)
        elif page is not self._pages[0]:
            page.put("error", "you are watching: another page holds the seat")
        elif self._waiting >= guard.MOST_WAITING:
            page.put("error", "busy: wait until the last clicks are done")
        else:
            self._waiting += 1
            room.announce(do)
            done = self._loop.run_in_executor(self._worker, self._handle, page, room, message)
            done.add_done_callback(self._is_done)

    def _answer(self, page, room, message):
        try:
            page.put(*room.answer(message))
        except BadInput as error:
            page.put("error", str(error))

    def _handle(self, page, room, message):
        self._asking = page
        room.handle(message)

    def _is_done(self, done):
        self._waiting -= 1
        if not done.cancelled() and done.exception():
            words = "something broke here: %s" % done.exception()
            for page in self._pages:
                page.put("error", words)


def _put_last(waiting, kind, data):
    """The latest of a kind comes after all that was said before it: a search under way is of the
    position that was told last."""
    waiting.pop(kind, None)
    waiting[kind] = data


def _message(text):
    """The object in a text, or an empty one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
