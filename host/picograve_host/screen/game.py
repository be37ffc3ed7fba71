"""`picograve play --terminal`: the page's game on a terminal.

The room (play/room.py) is the same: one worker thread holds the game and thinks, this one reads
keys, sends the messages that the page would send, and draws what the room publishes. What is
typed is a move, or the name of something to do or the beginning of it; arrows and Enter choose a
place of the board, or a move of the list where there is no board.

layout.py draws it.
"""

import contextlib
import os
import select
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from picograve import BadInput
from picograve.errors import RunFailed
from rich.console import Console
from rich.live import Live

from picograve_host.play.choices import Choices
from picograve_host.play.room import Room
from picograve_host.screen import keys, layout
from picograve_host.screen.layout import View

ACTIONS = ("undo", "hint", "stop", "switch", "resign", "new", "save", "quit")
CLOCK = 0.5  # seconds between two pictures when nothing happens
STEPS = {keys.UP: (0, -1), keys.DOWN: (0, 1), keys.LEFT: (-1, 0), keys.RIGHT: (1, 0)}
MOST_TYPED = 64  # letters, as long as a move may be for the room


class Notes:
    """What others print on stderr meanwhile, as notes below the board."""

    def __init__(self, note: Callable[[str, str], object]) -> None:
        self._note = note

    def write(self, text: str) -> int:
        if text.strip():
            self._note("note", text.strip())
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


class Game:
    """A game from its first message on; `folder` is where records go."""

    def __init__(self, choices: Choices, first: dict[str, Any], folder: Path) -> None:
        self._first = first
        self._folder = folder
        self._news: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._wake, self._waker = os.pipe()
        self._worker = ThreadPoolExecutor(1, "room")
        self._view = View()
        self.room = Room(choices, self._publish)
        self.saved: list[Path] = []

    def play(self) -> None:
        """Until `quit`. The terminal is as before when it returns, however it does."""
        screen = Console(file=sys.stderr, highlight=False)
        if layout.is_too_small(screen):
            raise BadInput("the terminal has %d x %d letters: " % screen.size + layout.LARGER)
        display = Live(
            console=screen,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        try:
            notes: Any = Notes(self._publish)
            with keys.one_by_one() as descriptor, display, contextlib.redirect_stderr(notes):
                self._send(dict(self._first, do="new"))
                self._serve(descriptor, screen, display)
        finally:
            self._close()

    def _close(self):
        self.room.announce("new")  # ends a search
        self._worker.submit(self.room.close)
        self._worker.shutdown()
        os.close(self._wake)
        os.close(self._waker)

    def _serve(self, descriptor, screen, display):
        going_on = True
        while going_on:
            self._hear()
            display.update(layout.draw(self._view, screen), refresh=True)
            ready, _, _ = select.select([descriptor, self._wake], [], [], CLOCK)
            if self._wake in ready:
                os.read(self._wake, 4096)
            if descriptor in ready:
                try:
                    going_on = all(self._press(key) for key in keys.read(descriptor))
                except EOFError:
                    return

    # From the room.

    def _publish(self, kind, data):
        """From the worker."""
        self._news.put((kind, data))
        os.write(self._waker, b"\n")

    def _hear(self):
        with contextlib.suppress(Empty):
            while True:
                kind, data = self._news.get_nowait()
                if kind == "broken":
                    raise data
                self._view.hear(kind, data)
        if self._view.state is None and self._view.error:
            raise RunFailed(self._view.error)  # there was no first game

    # To the room.

    def _send(self, message):
        self._view.error = self._view.note = ""
        self.room.announce(message["do"])
        done = self._worker.submit(self.room.handle, message)
        done.add_done_callback(self._is_done)

    def _is_done(self, done):
        if not done.cancelled() and done.exception():
            self._publish("broken", done.exception())

    def _press(self, key):
        """Whether the game goes on after a key."""
        view = self._view
        if key in STEPS:
            view.step(*STEPS[key])
        elif key in (keys.EARLIER, keys.LATER):
            self._look(-1 if key == keys.EARLIER else 1)
        elif key == keys.BACKSPACE:
            view.typed = view.typed[:-1]
        elif key == keys.ESCAPE:
            view.typed, view.chosen = "", None
        elif key != keys.ENTER:
            view.typed = (view.typed + key)[:MOST_TYPED]
        elif view.typed:
            words, view.typed = view.typed.strip(), ""
            return self._do(words)
        else:
            self._choose()
        return True

    def _do(self, words):
        """What was typed: a move, or something to do."""
        legal = {move.upper() for move in (self._view.state or {}).get("legal", ())}
        meant = [name for name in ACTIONS if name.startswith(words.lower())]
        if words.upper() in legal or len(meant) != 1:
            self._send(dict(do="play", move=words))
        elif meant == ["quit"]:
            return False
        elif meant == ["save"]:
            self._save()
        elif meant == ["new"]:
            self._send(dict(self._first, do="new"))
        else:
            self._send(dict(do=meant[0]))
        return True

    def _choose(self):
        """Enter on a place: a move if that is one, or its first half."""
        view = self._view
        moves = view.moves_here()
        whole = [move for move in moves if view.ends_here(move)]
        if len(whole) == 1:
            self._send(dict(do="play", move=whole[0]))
        elif whole:
            view.error = "type which one: " + " ".join(whole)
        view.chosen = view.cursor if moves and not whole else None

    def _look(self, by):
        """One move back or on in the game; after the last one, the game under way."""
        state = self._view.state
        if state is None:
            return
        ply = self._view.picture["ply"] + by
        at_the_end = ply >= len(state["moves"])
        with contextlib.suppress(BadInput):  # before the first move
            looked = None if at_the_end else self.room.answer(dict(do="look", ply=ply))[1]
            self._view.looking = looked

    def _save(self):
        """The record and the memory log, in new files."""
        state = self._view.state
        if state is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for kind in (state["records"][0], "jsonl"):
                _, record = self.room.answer(dict(do="record", kind=kind))
                path = _fresh(self._folder / record["name"])
                path.write_text(record["text"], "utf-8")
                self.saved.append(path)
            self._view.note = "saved " + " and ".join(map(str, self.saved[-2:]))
        except OSError as error:
            self._view.error = "cannot write to %s: %s" % (self._folder, error.strerror)


def _fresh(path):
    """The path, with a number if there is such a file already."""
    number = 2
    free = path
    while free.exists():
        free = path.with_name("%s-%d%s" % (path.stem, number, path.suffix))
        number += 1
    return free
