"""`picograve play`: a page to play any game against a search here or on a board, and to watch it.

The server (picograve_host.play) listens on this machine only, unless --host says otherwise.
"""

import asyncio
import contextlib
import json
import socket
import threading
import webbrowser
from argparse import Namespace

from picograve import BadInput, load
from picograve_tools.cache import package

EXTRA = "play"
FIRST_GAME = dict(bytes=64000, side="first")


def main(options: Namespace) -> int:
    uvicorn = package("uvicorn", EXTRA)
    package("starlette", EXTRA)
    package("websockets", EXTRA)
    from picograve_host.play import guard
    from picograve_host.play.server import Server

    first = dict(FIRST_GAME, game=options.game)
    load(options.game)  # refuses what is none, before anything is opened
    listening = _listen(options.host, options.port)
    port = listening.getsockname()[1]
    guard_ = guard.Guard(options.host, port)
    url = "http://%s:%d/%s/" % (options.host, port, guard_.token)
    config = uvicorn.Config(
        Server(guard_, first).app,
        log_level="warning",
        access_log=False,  # addresses hold the token
        ws="websockets-sansio",
        ws_max_size=guard.MOST_BYTES,
        limit_concurrency=guard.MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    print(json.dumps(dict(url=url)) if options.json else "play at %s (Ctrl-C ends it)" % url,
          flush=True)  # fmt: skip
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
