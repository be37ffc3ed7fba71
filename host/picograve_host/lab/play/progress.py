"""What a run shows: on a terminal a bar above the table as it grows, elsewhere plain lines."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from picograve_tools.console import console
from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from picograve_host.lab.plan.experiment import Experiment
    from picograve_host.lab.play.runner import Runner

REDRAW = 2.0  # seconds between two pictures of the table
PLAIN = 60.0  # ... between two lines where there is no terminal
BAR = 30


class Progress:
    """Called by the runner; `draw_table` makes the text of the table. In a `with`, after which the
    terminal is free."""

    def __init__(self, experiment: "Experiment", draw_table: Callable[[], str]) -> None:
        self._name = experiment.name
        self._draw_table = draw_table
        self._next = 0.0
        self._live = Live(console=console(), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, runner: "Runner") -> None:
        now = time.monotonic()
        if now < self._next and runner.played < runner.wanted:
            return
        if not sys.stderr.isatty():
            self._next = now + PLAIN
            print("%s: %s" % (self._name, _games(runner)), file=sys.stderr, flush=True)
            return
        self._next = now + REDRAW
        line = Table.grid(padding=(0, 1, 0, 0))
        bar = ProgressBar(total=max(1, runner.wanted), completed=runner.played, width=BAR)
        line.add_row(self._name, bar, _games(runner))
        self._live.start()
        table = Text(self._draw_table(), no_wrap=True, overflow="crop")
        self._live.update(Group(line, "", table), refresh=True)


def _games(runner):
    seconds = runner.seconds_left()
    left = "" if seconds is None else ", %s left" % _clock(seconds)
    return "%d of %d games%s" % (runner.played, runner.wanted, left)


def _clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return "%d:%02d:%02d" % (*divmod(minutes, 60), seconds)
