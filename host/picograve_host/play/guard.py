"""Who may talk to the server, how much and how often.

Only who knows the token, which is in the address and new for each start. Only by an address that
no foreign name can point to (Host is a number, localhost, or what --host says), and over a
WebSocket only from a page of our own (Origin is that address): so no other page in the same
browser, also not one whose name is made to lead here, can move a stone. One page holds the seat;
the others watch.
"""

import ipaddress
import secrets
import time

MOST_BYTES = 4096  # of a message from a page
MOST_PAGES = 12  # at a time
MOST_CONNECTIONS = 64  # of any kind
MOST_ASKED = 65536  # bytes that a connection may send before it is a page's WebSocket
PATIENCE = 20  # seconds after which a connection is cut that has not become a page's WebSocket
SILENCE = 60  # ... that a page may take to answer a ping: its machine may be busy with compiling
MOST_WAITING = 16  # messages that the room has not done yet
RATE, BURST = 20, 60  # messages of a page: so many a second, so many at once
CLOSE_POLICY, CLOSE_BUSY = 1008, 1013  # WebSocket's numbers for why
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the address holds the token
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        self._host = host
        self._port = port
        self.token = token or secrets.token_urlsafe(18)

    def knows(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def is_our_host(self, host: str | None) -> bool:
        """Whether a header Host is an address of this server that needs no name service."""
        name, _, port = (host or "").rpartition(":")
        if port != str(self._port):
            return False
        return name in ("localhost", self._host) or _is_address(name)

    def is_our_page(self, host: str | None, origin: str | None) -> bool:
        """Whether a WebSocket was opened by a page from here."""
        return self.is_our_host(host) and origin == "http://%s" % host


def _is_address(name):
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class Allowance:
    """Messages that a page may still send."""

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = time.monotonic()

    def take(self) -> bool:
        """One of them, if there is one left."""
        now = time.monotonic()
        self._left = min(BURST, self._left + RATE * (now - self._at))
        self._at = now
        self._left -= 1
        return self._left >= 0
