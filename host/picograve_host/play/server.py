"""HTTP and WebSocket: pages on one side, the room on the other.

    GET /TOKEN/...   the page's files
    WS  /TOKEN/ws    JSON objects, one for each message

From a page, all with `do`: new (game, opponent ... see choices.py), play (move), undo, switch,
resign, stop, hint, flag, look (ply), record (kind). To a page, each an object with one key: offer,
seat (whether it may move), state, live (a search under way), pool, hint, look, record, note, error.

A page that reads slowly gets the latest of each kind and no more, so nothing piles up here. Pages
may come and go; the game stays. The room's one thread thinks, this one listens.
"""

import asyncio
import contextlib
import json
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any

from picograve import BadInput
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from picograve_host.play import guard
from picograve_host.play.choices import Choices
from picograve_host.play.room import Room

FOLDER = files("picograve_host.play").joinpath("page")
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FIRST_PAGE = "index.html"
TO_ALL = ("state", "live", "pool", "note")  # the rest is for the page that asked
QUESTIONS = ("look", "record")  # change nothing, so that every page may ask, at any time


class Page:
    """One WebSocket: the latest of each kind that it has not got yet."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._waiting: dict[str, Any] = {}
        self._news = asyncio.Event()

    def put(self, kind: str, data: Any) -> None:
        self._waiting[kind] = data
        self._news.set()

    async def send_all(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            for kind, data in waiting.items():
                await self.socket.send_text(json.dumps({kind: data}))


class Server:
    """The application; `first` is the message that begins the first game."""

    def __init__(self, guard_: guard.Guard, first: dict[str, Any]) -> None:
        self.guard = guard_
        self._first = first
        self._pages: list[Page] = []  # the first of them holds the seat
        self._worker = ThreadPoolExecutor(1, "room")
        self._room: Room | None = None
        self._waiting = 0  # messages that the room has not done yet
        self._asking: Page | None = None  # whose message the room is about
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
        self._loop = asyncio.get_running_loop()
        opening = self._loop.run_in_executor(self._worker, self._open)
        yield
        await opening
        room = self._room
        if room:
            room.announce("new")  # ends a search
            await self._loop.run_in_executor(self._worker, room.close)
        self._worker.shutdown()

    def _open(self):
        """On the worker, while the page loads: the first import of a game takes a while."""
        room = Room(Choices(self._first["game"]), self._publish)
        room.announce("new")
        room.handle(dict(self._first, do="new"))
        self._room = room
        room.choices.find_all()
        self._publish("offer", room.choices.offer())

    async def _file(self, request: Request) -> Response:
        token, name = request.path_params["token"], request.path_params["name"] or FIRST_PAGE
        kind = KINDS.get(name.rpartition(".")[2])
        allowed = self.guard.knows(token) and self.guard.is_our_host(request.headers.get("host"))
        path = FOLDER.joinpath(name)
        if not (allowed and kind and "/" not in name and path.is_file()):
            words = "not here: the address that picograve play prints has a token in it\n"
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

    def _publish(self, kind, data):
        """From the worker."""
        self._loop.call_soon_threadsafe(self._spread, kind, data, self._asking)

    def _spread(self, kind, data, asking):
        if kind in (*TO_ALL, "offer"):
            self._last[kind] = data
            for page in self._pages:
                page.put(kind, data)
        elif asking:
            asking.put(kind, data)

    def _tell_seats(self):
        for number, page in enumerate(self._pages):
            page.put("seat", number == 0)


def _message(text):
    """The object in a text, or an empty one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
