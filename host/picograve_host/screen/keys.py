"""The keys of a terminal, one by one, and the terminal as it was afterwards."""

import contextlib
import os
import re
import signal
import sys
import termios
import tty
from collections.abc import Iterator

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
ENTER, BACKSPACE, ESCAPE, EARLIER, LATER = "enter", "backspace", "escape", "earlier", "later"
NAMES = {
    "[A": UP, "OA": UP, "[B": DOWN, "OB": DOWN, "[C": RIGHT, "OC": RIGHT, "[D": LEFT, "OD": LEFT,
    "[5~": EARLIER, "[6~": LATER,
    "\r": ENTER, "\n": ENTER, "\x7f": BACKSPACE, "\b": BACKSPACE, "\x1b": ESCAPE,
}  # fmt: skip
# An escape sequence as terminals send it, or a single letter.
KEY = re.compile("\x1b(\\[[0-9;]*[A-Za-z~]|O[A-Z])|(.)", re.S)
MOST_BYTES = 4096  # of a read: somebody may paste


@contextlib.contextmanager
def one_by_one() -> Iterator[int]:
    """Keys come at once and are not echoed; the file descriptor to read them from.

    Ctrl-C still interrupts. A polite kill or a lost line ends the `with`, too, and Ctrl-Z, which
    would leave the shell with such a terminal, does nothing.
    """

    def leave(number, frame):
        raise SystemExit(128 + number)

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    wanted = {signal.SIGTERM: leave, signal.SIGHUP: leave, signal.SIGTSTP: signal.SIG_IGN}
    handlers = {number: signal.signal(number, handler) for number, handler in wanted.items()}  # type: ignore[arg-type]
    try:
        tty.setcbreak(descriptor)
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def read(descriptor: int) -> list[str]:
    """The keys that wait: names such as UP, or letters. Nothing at all: the terminal has gone."""
    text = os.read(descriptor, MOST_BYTES).decode("utf-8", "ignore")
    if not text:
        raise EOFError
    keys = []
    for sequence, letter in KEY.findall(text):
        key = NAMES.get(sequence or letter, letter)
        if key and (key in NAMES.values() or key.isprintable()):
            keys.append(key)
    return keys
