"""`picograve lab bench`: what the harness itself costs."""

import json
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from picograve_host.bench import harness
from picograve_host.bench.desktop import machine


def main(options: Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        figures: dict[str, Any] = dict(overhead=harness.overhead(Path(folder), options.rounds))
        figures["recording"] = harness.recording(Path(folder))
        figures["workers"], figures["cluster"] = harness.speeds(Path(folder), options.rounds)
        figures["memory"] = harness.memory(Path(folder), options.games)
    if options.json:
        print(json.dumps(dict(machine=machine(), **figures)))
    else:
        print(harness.text(figures, options.games))
    return 0
