"""A command on a terminal of its own, by the standard library's pty: send keys, read what it draws.

Colours and moves of the cursor are taken out of what is read, so a picture is its letters. The
master's settings are those of the terminal: whether a command restored them can be seen there.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

COMMAND = [sys.executable, "-c", "import picograve_host.cli as c; raise SystemExit(c.main())"]
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]")
PATIENCE = 60  # seconds, for a machine much slower than any


class Terminal:
    def __init__(self, *arguments, columns=80, lines=24):
        self.raw = b""
        self._read = 0  # of the raw bytes, by `until`
        self.code = None
        master, slave = pty.openpty()
        self._master = master
        self._before = termios.tcgetattr(slave)
        self.resize(columns, lines)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(master)
            os.login_tty(slave)
            # By name: readline, which pytest loads, puts a size into what execv would hand on.
            environment = dict(os.environ, TERM="xterm-256color", PYTHONUTF8="1")
            for size in ("COLUMNS", "LINES"):  # which would count instead of the terminal's
                environment.pop(size, None)
            os.execve(COMMAND[0], [*COMMAND, *arguments], environment)
        self._slave = slave  # stays open: a master without any slave reads an error

    def resize(self, columns, lines):
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def send(self, keys):
        os.write(self._master, keys.encode())

    def until(self, text):
        """What is drawn from here until the text is there; it fails if it never is."""
        end = time.monotonic() + PATIENCE
        start = self._read
        while True:
            seen = _letters(self.raw[start:])
            if text in seen:
                self._read = len(self.raw)
                return seen
            assert self.code is None, "it ended without %r: %s" % (text, seen)
            assert time.monotonic() < end, "no %r in %s" % (text, seen[-3000:])
            self._take()

    def rest(self):
        """All the letters, once the command has ended."""
        end = time.monotonic() + PATIENCE
        while self.code is None:
            assert time.monotonic() < end, _letters(self.raw)[-3000:]
            self._take()
        return _letters(self.raw)

    @property
    def is_restored(self):
        """Whether keys, echo and the usual screen are as before, and the cursor is shown."""
        shown = self.raw.rfind(b"\x1b[?25h") >= self.raw.rfind(b"\x1b[?25l")
        usual = self.raw.count(b"\x1b[?1049h") == self.raw.count(b"\x1b[?1049l")
        return shown and usual and termios.tcgetattr(self._slave) == self._before

    def _take(self):
        if self.code is None and select.select([self._master], [], [], 0.1)[0]:
            self.raw += os.read(self._master, 65536)
            return
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            while select.select([self._master], [], [], 0)[0]:
                self.raw += os.read(self._master, 65536)
            self.code = os.waitstatus_to_exitcode(status)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self._slave)
        os.close(self._master)


def _letters(raw):
    return CONTROL.sub(b"", raw).decode("utf-8", "replace")
