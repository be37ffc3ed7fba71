"""The link: requests to a board, answers from it, over a line that loses and damages bytes.

picograve.frames says how a frame looks. The host alone has a clock: a line that is not
answered in time, or answered by a damaged line, is sent again with the same number, and the
board repeats its answer. What cannot be repaired here is one of

    Lost         the board has forgotten: it was reset, or unplugged and found again
    BoardRefuses it understood and says no, in words
    LinkError    nobody there, or not one of ours: the run ends with this line

This is a board's door (picograve_host.outside): an answer that leaves here has the fields that
answers.py lists, each of its type and in its range, and no control characters.
"""

import errno
import os
import random
import time
from collections.abc import Callable
from typing import Any

import serial
from picograve import BadInput, __version__
from picograve.errors import RunFailed
from picograve.frames import PROTOCOL, TO_BOARD, TO_HOST, Lines, Message, cut, decode, encode

from picograve_host.boards.answers import ANSWERS, GREETING, REFUSAL
from picograve_host.outside import Wrong, clean, fields

CTRL_B, CTRL_C, CTRL_D = b"\x02", b"\x03", b"\x04"
WRITE_PATIENCE = 5  # seconds; whoever reads nothing for so long is no board of ours
TRIES = 8  # unanswered lines until the board counts as gone
HELLO_TRIES = 4  # ... until it counts as not yet there
MOST_REPEATS = 300  # of one line, answered or not: then the line is hopeless
PROMPT = ">>>"
REBOOT = "soft reboot"  # MicroPython's last word at the prompt
LAST_WORDS = 3  # lines of the board's own that an error repeats
MOST_PARTS = 2500  # of an answer, 100 kB: all moves of the widest position need a fifth of it


class LinkError(RunFailed):
    """The run cannot go on; the text says what to do."""


class BoardRefuses(BadInput):
    """The board's own words."""


class Lost(Exception):
    """The board must be set up again."""


class _Silent(Exception):
    """No answer."""


class Link:
    """An open line to the board at `port`; `serial_settings` are those of its description.

    find() gives the port again when it has vanished: the same board may come back elsewhere.
    """

    def __init__(
        self,
        port: str,
        serial_settings: dict[str, Any],
        find: Callable[[], str | None] | None = None,
    ) -> None:
        self.port = port
        self._settings = serial_settings
        self._find = find or (lambda: port if os.path.exists(port) else None)
        self._number = random.randrange(256)
        self._line: Any = None  # a serial.Serial while it is open
        self.words: list[str] = []  # what the board said that was no frame
        self.hello: dict[str, Any] = {}
        self.resets = 0  # times the board had forgotten
        self._open()
        try:
            self._greet()
        except OSError:  # it broke while the board was booting, as USB does
            self.reconnect()

    def request(self, do: str, **request: Any) -> dict[str, Any]:
        """The answer to a request."""
        try:
            answer = self._ask(dict(request, do=do))
        except (_Silent, OSError):
            self.reconnect()
            raise Lost() from None
        if "error" in answer:
            refusal = self._checked(do, REFUSAL, answer)
            if refusal["code"] == "lost":
                self.resets += 1
                raise Lost()
            raise BoardRefuses("the board says: %s" % refusal["error"])
        return self._checked(do, ANSWERS[do], answer)

    def _checked(self, do, schema, answer):
        try:
            return fields(schema, answer)
        except Wrong as error:
            raise self.nonsense("it answers `%s`, where %s" % (do, error)) from None

    def nonsense(self, what: str) -> LinkError:
        """The error about a board that says what cannot be."""
        return LinkError("the board at %s talks nonsense: %s" % (self.port, what))

    def reconnect(self) -> None:
        """Find the board again, wherever it is now, and greet it."""
        self.resets += 1
        self.close()
        deadline = time.monotonic() + self._settings["boot"]
        while True:
            port = self._find()
            try:
                if port:
                    self.port = port
                    self._open()
                    self._greet()
                    return
            except serial.SerialTimeoutException:  # it does not even read
                self.close()
                raise self._no_picograve() from None
            except (OSError, BadInput):
                self.close()
            if time.monotonic() > deadline:
                raise LinkError("the board at %s has gone: plug it in again" % self.port)
            time.sleep(0.1)

    def close(self) -> None:
        if self._line:
            self._line.close()
        self._line = None

    def _open(self):
        line = serial.Serial()
        line.port = self.port
        line.baudrate = self._settings["baud"]
        line.exclusive = True
        line.write_timeout = WRITE_PATIENCE
        hang_up = self._settings.get("hang_up", True)
        if not hang_up and os.name == "nt":
            line.dtr = line.rts = False
        try:
            line.open()
        except serial.SerialException as error:
            raise BadInput(_why_not(self.port, error)) from None
        if not hang_up and os.name != "nt":
            _keep_lines_on_close(line.fileno())
        self._line = line

    def _greet(self):
        """Reach the service: it runs, or boots; or by a soft reset, if the board is elsewhere."""
        self._arrived = bytearray()  # bytes not yet looked at
        self._lines = Lines()
        self.words = []
        self._at_repl = False
        if not self._says_hello():
            self._write(CTRL_C)
            time.sleep(0.2)
            self._write(b"\r" + CTRL_B + CTRL_D)
            self._at_repl = False
            if not self._says_hello():
                raise self._no_picograve()
        hello = self.hello = self._checked("hello", GREETING, self._heard)
        if (hello["protocol"], hello["version"]) != (PROTOCOL, __version__):
            raise LinkError(
                "the board at %s has picograve %s (protocol %s), this is %s (protocol %d): "
                "picograve flash --port %s"
                % (self.port, hello["version"], hello["protocol"], __version__, PROTOCOL, self.port)
            )
        self.hello = self._checked("hello", ANSWERS["hello"], self._heard)

    def _no_picograve(self):
        return LinkError(
            "no picograve answers at %s%s: install it with picograve flash --port %s"
            % (self.port, self._last_words(), self.port)
        )

    def _says_hello(self):
        """Whether the service answers in the time of a boot, the REPL's prompt not seen."""
        deadline = time.monotonic() + self._settings["boot"]
        while time.monotonic() < deadline and not self._at_repl:
            self._write(b"\r\n")  # ends a half line, and makes a REPL show itself
            nonce = random.randrange(10000)
            try:
                answer = self._ask({"do": "hello", "nonce": nonce}, HELLO_TRIES)
                if answer.get("nonce") == nonce and "protocol" in answer:
                    self._heard = answer
                    return True
            except (_Silent, Lost):  # or the end of an answer to whoever was here before
                pass
        return False

    def _ask(self, request, tries=TRIES):
        for kind, payload in cut(request):
            kind, payload = self._exchange(kind, payload, tries)
        answer = Message(MOST_PARTS)
        if not answer.add(kind, payload):  # the middle of an answer to somebody else
            raise Lost()
        while kind in (b"F", b"M"):
            kind, payload = self._exchange(b"N", b"")
            if kind in (b"S", b"F"):  # another answer begins: this one was lost
                raise Lost()
            if not answer.add(kind, payload):
                raise self.nonsense("an answer of more than %d parts" % MOST_PARTS)
        try:
            return answer.value()
        except (ValueError, RecursionError):
            raise Lost() from None

    def _exchange(self, kind, payload, tries=TRIES):
        """Send a frame until it is answered; kind and payload of the answer."""
        self._number = (self._number + 1) % 256
        frame = encode(TO_BOARD, kind, self._number, payload)
        unanswered = 0
        for _ in range(MOST_REPEATS):
            self._write(frame)
            # Impatient at first: a repetition costs less than waiting for what is lost. Patient in
            # the end, sixteen times the usual in all: a board that is slow has not gone.
            answer = self._hear(self._settings["reply"] * 2 ** min(unanswered - 3, 2))
            if answer:
                return answer
            if answer is None:
                unanswered += 1
                if unanswered == tries:
                    break
        raise _Silent()

    def _hear(self, seconds):
        """The answer to the last frame; False at a damaged line, None when time is up."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if not self._arrived:
                self._line.timeout = left
                self._arrived += self._line.read(max(1, self._line.in_waiting))
                continue
            line = self._lines.add(self._arrived.pop(0))
            if not line:
                continue
            frame = decode(TO_HOST, line)
            if frame and frame[0] != b"X":
                if frame[1] == self._number:
                    return frame[0], frame[2]
            elif frame or TO_HOST in line:
                return False
            else:
                self._note(line)
        return None

    def _note(self, line):
        text = clean(line.decode("ascii", "replace").strip())
        if TO_BOARD.decode() in text or PROMPT in text:  # an echo of ours
            self._at_repl = True
            return
        if REBOOT in text:  # a slow board's prompts from before may have come after our Ctrl-D
            self._at_repl = False
        self.words = [*self.words, text][-LAST_WORDS:]

    def _last_words(self):
        return ' (it says: "%s")' % " / ".join(self.words) if self.words else ""

    def _write(self, data):
        self._line.write(data)


def clock_text(hello: dict[str, Any]) -> str:
    """The board's clock, behind other words about it; a simulated one has none."""
    return ", %d MHz" % hello["mhz"] if hello.get("mhz") else ""


def _why_not(port, error):
    if error.errno == errno.ENOENT or "FileNotFoundError" in str(error):
        return "no port %s: `picograve boards` lists what is plugged in" % port
    if error.errno == errno.EACCES or "PermissionError" in str(error):
        return "no permission to open %s: add yourself to its group (often dialout)" % port
    if "lock" in str(error) or error.errno in (errno.EBUSY, errno.EAGAIN):
        return "%s is in use by another program: close that first" % port
    return "cannot open %s: %s" % (port, error)


def _keep_lines_on_close(descriptor):
    """Do not lower DTR and RTS when the port closes: that resets an ESP32."""
    import termios

    attributes = termios.tcgetattr(descriptor)
    attributes[2] &= ~termios.HUPCL
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
