r"""Frames: how a host and a board talk over a serial line. Both sides run this file.

A message is a JSON object, cut into parts of at most PART bytes; a part travels in a frame,
one line of printable text:

    ~S0c10{"do": "status"}a071d4c5\n

    start    ~ to the board, ^ to the host: neither mistakes an echo of its own line
    kind     S a whole message, F its first part, M one more, L the last;
             N give me the next part of your answer, X I did not understand that line
    number   two hexadecimal digits; a frame with the number of the one before is a repetition
    length   two hexadecimal digits: bytes of the payload
    payload  a part of the message
    CRC      CRC-32 of kind, number, length and payload, eight hexadecimal digits

Text, because a line end finds the next frame again after any damage, a board's own words
(a boot banner, a traceback) cannot be taken for a frame, Ctrl-C never is part of one, and a
person with a terminal can read along. Parts are small, because a long line is likelier hit.

The host speaks, the board answers each line with one line; so only the host needs a clock.
What is said in the messages: firmware/PROTOCOL.md.
"""

import json
from binascii import crc32

PROTOCOL = 3  # changes when an old board and a new host would misunderstand each other
TO_BOARD = b"~"
TO_HOST = b"^"
PART = 40  # bytes of payload; with 1 % of bytes damaged a frame of 54 gets through 6 times in 10
LONGEST = 256  # bytes of a line worth keeping: a frame, and noise before it
MOST_PARTS = 100  # of a message to a board, whose heap has to hold it
KINDS = b"SFMLNX"


def encode(start, kind, number, payload=b""):
    body = b"%s%02x%02x%s" % (kind, number, len(payload), payload)
    return b"%s%s%08x\n" % (start, body, crc32(body))


def decode(start, line):
    """(kind, number, payload) of a line, or None if there is no whole frame at its end."""
    line = line.strip()
    body = line[line.rfind(start) + 1 :]
    if start not in line or len(body) < 13 or body[:1] not in KINDS:
        return None
    body, crc = body[:-8], body[-8:]
    if b"%08x" % crc32(body) != crc:
        return None
    try:
        number, length = int(body[1:3], 16), int(body[3:5], 16)
    except ValueError:
        return None
    payload = body[5:]
    return (body[:1], number, payload) if len(payload) == length else None


def cut(message):
    """The parts of a message: a list of (kind, payload)."""
    text = json.dumps(message).replace("~", "\\u007e").replace("^", "\\u005e").encode()
    parts = [text[i : i + PART] for i in range(0, len(text), PART)]
    if len(parts) == 1:
        return [(b"S", text)]
    kinds = [b"F"] + [b"M"] * (len(parts) - 2) + [b"L"]
    return list(zip(kinds, parts))


class Message:
    """Puts parts together again."""

    def __init__(self, most=MOST_PARTS):
        self._most = most
        self._parts = []

    def add(self, kind, payload):
        """True while the parts make sense: a first one first, not too many."""
        if kind in (b"S", b"F"):
            self._parts = []
        elif not 0 < len(self._parts) < self._most:
            return False
        self._parts.append(payload)
        return True

    def value(self):
        """The message, a dict, once its last part is there; ValueError if it is none."""
        message = json.loads(b"".join(self._parts).decode())
        self._parts = []
        if not isinstance(message, dict):
            raise ValueError("a message is a JSON object")
        return message


class Lines:
    """Cuts a stream of bytes into lines; in one buffer, which never moves in a chip's heap."""

    def __init__(self):
        self._line = bytearray(LONGEST)
        self._length = 0

    def add(self, byte):
        """The line that this byte (an int) ends, or None. Over-long lines lose their head."""
        if byte in (10, 13):
            line = bytes(self._line[: self._length])
            self._length = 0
            return line or None
        if self._length == LONGEST:
            self._length = LONGEST // 2
            self._line[: self._length] = self._line[self._length :]
        self._line[self._length] = byte
        self._length += 1
        return None

    def is_fresh(self):
        """Whether a line is about to begin."""
        return self._length == 0
