"""Clients that mean harm, against a server of its own process.

    python tests/play/hostile_clients.py

sends 100,000 fuzzed messages, opens 1,000 connections, sends 100 MB without end in several ways,
and says after each what the server's memory is. tests/play/test_hostile.py does a little of it.
"""

import contextlib
import json
import random
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

from browser import served_process
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

KILO = b"x" * 1024
PATIENCE = 60  # seconds


def fuzzed(chance):
    """A message that may be nearly right."""
    kinds = "new play undo switch resign stop hint flag look record handle __init__".split()
    values = [
        None,
        -1,
        3,
        1e300,
        "",
        "B2",
        "\u0000",
        "<b>",
        [],
        {},
        [[]] * 9,
        True,
        "ttt3",
        "9" * 99,
    ]
    message = {chance.choice(["move", "ply", "kind", "game"]): chance.choice(values) for _ in "ab"}
    message["do"] = chance.choice([*kinds, chance.choice(values)])
    text = json.dumps(message)
    return text if chance.random() < 0.8 else text[: chance.randrange(len(text))] or "["


class Victim:
    """A server, and what can be done to it."""

    def __init__(self, url, pid):
        self.url = url
        self._pid = pid
        address = urlsplit(url)
        self.address = (address.hostname, address.port)
        self.host = "%s:%d" % self.address
        self.path = address.path

    def memory(self):
        """Bytes of RAM that it holds."""
        status = Path("/proc/%d/status" % self._pid).read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def page(self, path=None, origin=None, **options):
        url = "ws://%s%sws" % (self.host, path or self.path)
        return connect(url, origin=origin or "http://" + self.host, max_size=None, **options)

    def plays(self):
        """Whether a page gets a game and moves, as all should when others mean harm."""
        with self.seat() as page:
            page.send(json.dumps(dict(do="new", game="ttt3", playouts=20, bytes=20000)))
            hear(page, "state", lambda state: state["moves"] == [])
            page.send(json.dumps(dict(do="play", move="B2")))
            return hear(page, "state", lambda state: len(state["moves"]) == 2)

    @contextlib.contextmanager
    def seat(self):
        """A page that holds the seat; others may still be about to go."""
        end = time.monotonic() + PATIENCE
        with contextlib.ExitStack() as stack:
            while True:
                with contextlib.suppress(OSError, InvalidStatus, ConnectionClosed, EOFError):
                    page = stack.enter_context(self.page())
                    if hear(page, "seat"):
                        break
                stack.close()
                assert time.monotonic() < end, "no page gets through"
                time.sleep(0.1)
            yield page

    def refused(self, **wrong):
        """Whether a WebSocket with something wrong is refused before it opens."""
        try:
            with self.page(**wrong):
                return False
        except InvalidStatus as refusal:
            return refusal.response.status_code in (400, 403)

    def fuzz(self, count, seed=1):
        """So many messages, through as many pages as it takes: a page that hurries is cut. The
        number of pages that were."""
        chance, sent, cut = random.Random(seed), 0, 0
        while sent < count:
            with self.seat() as page:
                try:
                    while sent < count:
                        page.send(fuzzed(chance))
                        sent += 1
                except ConnectionClosed:
                    cut += 1
        return cut

    def crowd(self, count):
        """So many connections that say nothing; how many of them are cut at once."""
        crowd = []
        for _ in range(count):
            with contextlib.suppress(OSError):
                crowd.append(socket.create_connection(self.address, timeout=PATIENCE))
        time.sleep(1)
        cut = count - len(crowd)
        for one in crowd:
            one.setblocking(False)
            try:
                cut += one.recv(1) == b""
            except BlockingIOError:
                pass
            except ConnectionError:
                cut += 1
        for one in crowd:
            one.close()
        return cut

    def flood(self, kilobytes, opening):
        """Bytes without end after an opening; how many of them were taken before it was cut."""
        sent = 0
        line = socket.create_connection(self.address, timeout=PATIENCE)
        with line, contextlib.suppress(ConnectionError):
            line.sendall(opening)
            for _ in range(kilobytes):
                line.sendall(KILO)
                sent += len(KILO)
        return sent

    def openings(self):
        """Beginnings of what then has no end."""
        get = "GET %s HTTP/1.1\r\nHost: %s\r\n" % (self.path, self.host)
        yield "a line", b"GET /"
        yield "a header", (get + "X: ").encode()
        yield (
            "a body",
            get.replace("GET", "POST", 1).encode() + b"Content-Length: 999999999\r\n\r\n",
        )

    def long_message(self, kilobytes):
        """One message without end, in fragments; how many of its bytes were taken."""
        sent = 0

        def fragments():
            nonlocal sent
            for _ in range(kilobytes):
                yield KILO.decode()
                sent += len(KILO)

        with contextlib.suppress(ConnectionClosed), self.seat() as page:
            page.send(fragments())
        return sent


def hear(page, kind, such=lambda data: True):
    while True:
        message = json.loads(page.recv(timeout=PATIENCE))
        if kind in message and such(message[kind]):
            return message[kind]


def wrongs(victim):
    yield dict(path="/guess/")
    yield dict(origin="http://evil.example")
    yield dict(origin="http://evil.example:%d" % victim.address[1])
    yield dict(origin="null")
    yield dict(additional_headers={"Host": "evil.example:%d" % victim.address[1]})


@contextlib.contextmanager
def victim():
    with served_process("--game", "ttt3") as (url, process):
        yield Victim(url, process.pid)


def main():
    with victim() as server:
        assert server.plays()

        def report(what, said):
            assert server.plays()
            print("%-34s %-28s RSS %.1f MB" % (what, said, server.memory() / 1e6), flush=True)

        report("at the start", "")
        refused = [server.refused(**wrong) for wrong in wrongs(server)]
        report("%d wrong origins, hosts, tokens" % len(refused), "%d refused" % sum(refused))
        for part in range(1, 5):
            cut = server.fuzz(25_000, part)
            report("%d fuzzed messages" % (part * 25_000), "%d pages cut" % cut)
        for _ in range(2):
            report("1000 connections", "%d cut at once" % server.crowd(1000))
        for what, opening in server.openings():
            taken = server.flood(100_000, opening)
            report("100 MB, %s" % what, "cut after %.1f MB" % (taken / 1e6))
        taken = server.long_message(100_000)
        report("100 MB, a message", "cut after %.1f MB" % (taken / 1e6))


if __name__ == "__main__":
    main()
