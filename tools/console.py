"""The terminal, by rich: one console on stderr for all that is drawn while something runs.

One, so that a line of progress and a live picture (picograve_host.screen) share the terminal
instead of writing over each other. Where stderr is no terminal nothing is drawn.
"""

import atexit
import sys
from functools import cache


@cache
def console():
    from rich.console import Console  # here: a command that draws nothing need not wait for it

    return Console(stderr=True, highlight=False)


@cache
def _line():
    from rich.live import Live

    line = Live(console=console(), auto_refresh=False, transient=True)  # no thread beside a bench
    atexit.register(line.stop)  # an interrupted build leaves a terminal with its cursor
    return line


def progress(line):
    """What is under way, on one line of a terminal; an empty line when it is over."""
    if line and sys.stderr.isatty():
        _line().start()
        _line().update(line, refresh=True)
    elif _line.cache_info().currsize:
        _line().stop()
