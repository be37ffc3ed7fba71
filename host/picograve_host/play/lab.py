"""The pages of `picograve lab watch`: the report of an experiment as its games come in.

The store is only read, by a connection for each look. A look that finds more games draws the
report anew; then the run has the machine for itself for at least REST times as long, so that
watching costs 1 part in REST.
"""

import asyncio
import contextlib
import tempfile
import time
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from picograve import BadInput
from picograve.errors import RunFailed
from starlette.responses import Response

from picograve_host.lab.play.store import Store
from picograve_host.lab.report import report
from picograve_host.lab.report.page import Block, Text
from picograve_host.play import guard
from picograve_host.play.server import Pages

if TYPE_CHECKING:
    from picograve_host.lab.plan.experiment import Experiment
    from picograve_host.rating import Sprt

LOOK = 2.0  # seconds between two looks at the store, at least
REST = 20
# matplotlib's drawings have their styles inside.
PICTURE = {
    **guard.HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
}


class LabPages(Pages):
    first_page = "lab.html"

    def __init__(
        self,
        guard_: guard.Guard,
        experiment: "Experiment",
        games: int,
        sprt: "Sprt | None",
        options: Namespace,
        plots: bool = True,
    ) -> None:
        super().__init__(guard_)
        self._experiment = experiment
        self._games = games  # per point, at most
        self._sprt = sprt
        self._options = options
        self._plots = plots
        self._seen: int | None = None  # games at the last look
        self._pictures: dict[str, bytes] = {}  # by the names of their files

    async def _serve(self):
        while True:
            began = time.monotonic()
            await self._loop.run_in_executor(self._worker, self._look)
            await asyncio.sleep(max(LOOK, REST * (time.monotonic() - began)))

    async def _end(self, serving):
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving

    def _hand_over(self, page, message):
        page.put("error", "there is nothing to do here but to look")

    def _made(self, name):
        picture = self._pictures.get(name)
        return picture and Response(picture, headers=PICTURE, media_type="image/svg+xml")

    def _look(self):
        """On the worker: publish the report if there are more games."""
        try:
            with Store(self._options.out) as store:
                store.database.execute("BEGIN")  # all we read is of one moment
                played = sum(len(store.numbers(point.key)) for point in self._experiment.points)
                if played == self._seen:
                    return
                blocks = self._report(store) if played else self._nothing()
        except BadInput:  # no store yet: the run may be about to begin
            played, blocks = 0, self._nothing()
        except RunFailed as error:
            self._publish("note", str(error))
            return
        if played != self._seen:
            self._seen = played
            self._publish("report", self._message(played, blocks))

    def _report(self, store) -> list[Block]:
        experiment = self._experiment
        findings = report.gather(experiment, store, self._games, self._sprt, self._options)
        with tempfile.TemporaryDirectory(prefix="picograve-") as folder:
            drawn = report.draw(findings, Path(folder)) if self._plots else []
            self._pictures = {
                path.name: path.read_bytes() for path in drawn if path.suffix == ".svg"
            }
        return report.page_with(findings, {Path(name).stem for name in self._pictures})

    def _nothing(self) -> list[Block]:
        command = "picograve lab run %s" % self._options.experiment
        return [*report.headline(self._experiment), Text("No games yet: %s" % command)]

    def _message(self, played, blocks) -> dict[str, Any]:
        points = self._experiment.points
        return dict(
            title=self._experiment.title,
            played=played,
            wanted=min(self._games, self._experiment.games) * len(points),
            blocks=[[type(block).__name__, *block] for block in blocks],
        )
