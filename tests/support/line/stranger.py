"""A board's end of a serial line that anything may sit at: what is no board, or means harm."""

import contextlib
import os
import pty
import select
import threading
import tty

from picograve import __version__
from picograve.frames import PROTOCOL, Lines
from picograve_board.service import Talk
from picograve_host.boards import program


class Stranger:
    """Something at the end of a pty that is no board of ours: `talk(read, write)` in a thread."""

    def __init__(self, talk):
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._gone = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(talk,), daemon=True)
        self._thread.start()

    def _run(self, talk):
        try:
            while not self._gone.is_set():
                talk(self._read, self._write)
        except EOFError:
            pass

    def _read(self):
        while not select.select([self._master], [], [], 0.05)[0]:
            if self._gone.is_set():
                raise EOFError
        return os.read(self._master, 1)

    def _write(self, data):
        """All of it, also while the host does not read; in vain when it never will again."""
        while data:
            if self._gone.is_set():
                raise EOFError
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._master, data) :]
            if data:
                select.select([], [self._master], [], 0.05)

    def close(self):
        self._gone.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)


HELLO = dict(
    protocol=PROTOCOL, version=__version__, stamp=program.stamp(), refusal=None,
    system="micropython 1.25.0", machine="a stranger", bits=32,
)  # fmt: skip


def hello_of(**differences):
    """A board that answers any request with a hello."""
    return answering(lambda request: dict(HELLO, nonce=request["nonce"], **differences))


def answering(reply):
    """A board that answers a request, a dict, with what reply(request) gives."""
    lines = Lines()
    talk = Talk(reply, lambda: None)

    def answer(read, write):
        line = lines.add(read()[0])
        if line:
            write(talk.reply(line))

    return answer
