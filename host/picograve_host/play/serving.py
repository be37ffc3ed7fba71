"""Serves pages from a command until Ctrl-C: the address, the browser, uvicorn."""

import asyncio
import contextlib
import json
import socket
import threading
import webbrowser
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from picograve import BadInput
from picograve_tools.cache import package

from picograve_host.play import guard

if TYPE_CHECKING:
    from picograve_host.play.server import Pages

EXTRA = "play"


def need_packages() -> None:
    """Refuse in one line what cannot be served here; before server.py is imported."""
    for name in ("uvicorn", "starlette", "websockets"):
        package(name, EXTRA)


def serve(make: "Callable[[guard.Guard], Pages]", options: Namespace) -> int:
    """`make` makes the pages' server; options are --host, --port, --no-browser and --json."""
    import uvicorn

    from picograve_host.play.connections import Connection

    listening = _listen(options.host, options.port)
    port = listening.getsockname()[1]
    guard_ = guard.Guard(options.host, port)
    host = "[%s]" % options.host if ":" in options.host else options.host
    url = "http://%s:%d/%s/" % (host, port, guard_.token)
    config = uvicorn.Config(
        make(guard_).app,
        log_level="warning",
        access_log=False,  # addresses hold the token
        http=Connection,
        ws="websockets-sansio",
        ws_max_size=guard.MOST_BYTES,
        ws_ping_timeout=guard.SILENCE,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    said = json.dumps(dict(url=url)) if options.json else "open %s (Ctrl-C ends it)" % url
    print(said, flush=True)
    if not options.no_browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
    return 0


def _listen(host, port):
    """A socket that listens from now on, so that the browser finds it whenever it asks."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise BadInput("cannot listen on %s port %d: %s" % (host, port, error)) from None
    listening.listen()
    return listening
