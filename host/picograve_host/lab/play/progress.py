"""What a run shows: on a terminal the table as it grows above a bar, elsewhere plain lines."""

import shutil
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from picograve_host.lab.plan.experiment import Experiment
    from picograve_host.lab.play.runner import Runner

REDRAW = 2.0  # seconds between two pictures of the table
PLAIN = 60.0  # ... between two lines where there is no terminal
BAR = 30


class Progress:
    """Called by the runner; `draw_table` makes the text of the table."""

    def __init__(
        self,
        experiment: "Experiment",
        draw_table: Callable[[], str],
        stream: TextIO | None = None,
    ) -> None:
        self.name = experiment.name
        self.draw_table = draw_table
        self.stream = stream or sys.stderr  # of this moment: a test may have replaced it
        self.shown = 0  # lines of the picture on the terminal
        self.next = 0.0

    def __call__(self, runner: "Runner") -> None:
        now = time.monotonic()
        if now < self.next and runner.played < runner.wanted:
            return
        line = self._line(runner)
        if not self.stream.isatty():
            self.next = now + PLAIN
            print(line, file=self.stream, flush=True)
            return
        self.next = now + REDRAW
        lines = [*self.draw_table().splitlines(), "", line]
        columns, height = shutil.get_terminal_size()
        lines = [text[: columns - 1] for text in lines[-(height - 1) :]]
        self.clear()
        print("\n".join(lines), file=self.stream, flush=True)
        self.shown = len(lines)

    def clear(self) -> None:
        """Take the picture off the terminal."""
        if self.shown:
            print("\x1b[%dA\x1b[J" % self.shown, end="", file=self.stream, flush=True)
            self.shown = 0

    def _line(self, runner):
        done = BAR * runner.played // max(1, runner.wanted)
        seconds = runner.seconds_left()
        left = "" if seconds is None else ", %s left" % _clock(seconds)
        return "%s [%s] %d of %d games%s" % (
            self.name,
            "#" * done + "." * (BAR - done),
            runner.played,
            runner.wanted,
            left,
        )


def _clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return "%d:%02d:%02d" % (*divmod(minutes, 60), seconds)
